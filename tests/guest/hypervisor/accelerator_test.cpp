#include "guest/accelerator.hpp"

#include <chrono>
#include <cstdlib>

#include "base/files.hpp"
#include "base/places.hpp"
#include "guest/micro_image.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
namespace fs = std::filesystem;

TEST_CASE("KVM is believed only where a guest was seen to run, and the verdict is remembered") {
  const test::TemporaryDirectory runtime;
  ::setenv("VMTAX_RUNTIME", runtime.path().c_str(), 1);
  const auto image = guest::micro_image("auto", places::agent());
  const auto emulator = guest::find_emulator();
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  const auto first = probe_accelerator(emulator, image);
  const auto between = Clock::now();
  const auto second = probe_accelerator(emulator, image);
  const auto after = Clock::now();
  WARN((first.kvm_obstacle.empty() ? "KVM" : first.kvm_obstacle));
  CHECK((first.accelerator == guest::Accelerator::kvm) == first.kvm_obstacle.empty());
  CHECK(second.accelerator == first.accelerator);
  CHECK(second.kvm_obstacle == first.kvm_obstacle);
  CHECK(between - before < std::chrono::seconds{25});
  if (!fs::exists("/dev/kvm")) return;
  REQUIRE(fs::exists(runtime.path() / "accelerator.json"));
  CHECK((after - between) * 2 < between - before);

  // Of another boot of the machine: not believed.
  auto text = read_text(runtime.path() / "accelerator.json");
  const auto boot = read_attribute("/proc/sys/kernel/random/boot_id").value_or("");
  REQUIRE(text.find(boot) != std::string::npos);
  text.replace(text.find(boot), boot.size(), "another");
  const auto obstacle = text.find("\"obstacle\":\"");
  REQUIRE(obstacle != std::string::npos);
  text.insert(obstacle + 12, "stale: ");
  write_atomically(runtime.path() / "accelerator.json", text);
  CHECK(probe_accelerator(emulator, image).kvm_obstacle.find("stale") == std::string::npos);
}

// The positive side, which a machine without KVM can show under emulation alone: the words that the
// probe waits for are words that the guest's kernel says.
TEST_CASE("the boot probe sees a guest that boots, and says what became of one that doesn't") {
  const test::TemporaryDirectory runtime;
  ::setenv("VMTAX_RUNTIME", runtime.path().c_str(), 1);
  auto image = guest::micro_image("auto", places::agent());
  const auto emulator = guest::find_emulator();
  const auto tcg = guest::Accelerator::tcg;
  CHECK(boot_obstacle(emulator, image, tcg).value_or("") == "");
  image.kernel = runtime.path() / "vmlinuz";
  write_atomically(image.kernel, "no kernel at all");
  CHECK(boot_obstacle(emulator, image, tcg).value_or("").find("QEMU ended") == 0);
}
