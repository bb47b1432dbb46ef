#include "guest/accelerator.hpp"

#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <linux/kvm.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/places.hpp"

namespace vmtax::guest {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

// What can be known without a guest; nothing when KVM seems to be there.
std::optional<std::string> obstacle_of_device() {
  const Fd kvm{::open("/dev/kvm", O_RDWR | O_CLOEXEC)};
  if (!kvm && errno == ENOENT)
    return "there is no /dev/kvm: switch virtualization on in the firmware (or, in a guest, nested "
           "virtualization in its host) and load kvm_intel or kvm_amd";
  if (!kvm && (errno == EACCES || errno == EPERM))
    return "/dev/kvm may not be opened: run as root or as a member of the group kvm";
  if (!kvm) return std::string{"/dev/kvm can't be opened: "} + std::strerror(errno);
  const Fd machine{::ioctl(kvm.get(), KVM_CREATE_VM, 0)};
  if (!machine) return std::string{"/dev/kvm makes no virtual machine: "} + std::strerror(errno);
  return std::nullopt;
}

// Reads the guest's console until `word` was in it. Nothing when it came.
std::optional<std::string> obstacle_until(ByteChannel& console, std::string& seen,
                                          std::string_view word, const Deadline& deadline) {
  try {
    while (seen.find(word) == std::string::npos) {
      char bytes[4096];
      const auto count = console.read_some(bytes, deadline);
      if (count == 0) return "QEMU ended";
      seen.append(bytes, count);
    }
  } catch (const MeasurementError& error) {
    return error.what();
  }
  return std::nullopt;
}

std::string modification_time(const fs::path& path) {
  std::error_code error;
  return std::to_string(fs::last_write_time(path, error).time_since_epoch().count());
}

// Everything that the verdict depends on.
nlohmann::json key_of(const fs::path& emulator, const MicroImage& image) {
  return {{"boot", read_attribute("/proc/sys/kernel/random/boot_id").value_or("")},
          {"emulator", emulator.string()},
          {"emulator_changed", modification_time(emulator)},
          {"kernel", image.kernel_release}};
}

}  // namespace

// Two deadlines, because a KVM that runs no guest is known by a console that stays empty: the first
// words come within milliseconds where it works. The arguments make the kernel speak at all, early
// and whatever the guest's usual ones say of being quiet.
std::optional<std::string> boot_obstacle(const fs::path& emulator, const MicroImage& image,
                                         Accelerator accelerator) {
  const auto said = places::runtime() / "boot-probe.log";
  make_directories(said.parent_path());
  fs::remove(said);
  ChildProcess qemu{{emulator.string(),
                     "-nodefaults",
                     "-no-user-config",
                     "-display",
                     "none",
                     "-no-reboot",
                     "-machine",
                     "q35",
                     "-accel",
                     accelerator == Accelerator::kvm ? "kvm" : "tcg",
                     "-cpu",
                     "max",
                     "-m",
                     "512",
                     "-kernel",
                     image.kernel.string(),
                     "-initrd",
                     image.initramfs.string(),
                     "-append",
                     kernel_arguments(accelerator) + " ignore_loglevel earlyprintk=ttyS0",
                     "-serial",
                     "stdio"},
                    said.string()};
  std::string seen;
  auto obstacle = obstacle_until(qemu.channel(), seen, "\n",
                                 {"the guest's kernel says its first line", seconds{8}});
  if (!obstacle)
    obstacle = obstacle_until(qemu.channel(), seen, "Run /init as init process",
                              {"the guest's kernel starts the agent", seconds{10}});
  const auto words = read_attribute(said).value_or("");  // before it is told to end, and says so
  qemu.terminate(Deadline{"QEMU of the boot probe ends", seconds{5}});
  if (obstacle && !words.empty()) *obstacle += " (" + words + ")";
  return obstacle;
}

AcceleratorVerdict probe_accelerator(const fs::path& emulator, const MicroImage& image) {
  if (const auto obstacle = obstacle_of_device()) return {Accelerator::tcg, *obstacle};
  const auto memory = places::runtime() / "accelerator.json";
  const auto key = key_of(emulator, image);
  const auto known = nlohmann::json::parse(read_attribute(memory).value_or(""), nullptr, false);
  std::string obstacle;
  if (known.is_object() && known.value("key", nlohmann::json{}) == key &&
      known.contains("obstacle")) {
    obstacle = known.at("obstacle").get<std::string>();
  } else {
    log::info("trying whether a guest runs under KVM here (once per boot of this machine)");
    if (const auto seen = boot_obstacle(emulator, image, Accelerator::kvm))
      obstacle = "/dev/kvm opens, but a guest under it doesn't run: " + *seen +
                 "; on a nested or para-virtualised host only its owner can mend that";
    write_atomically(memory, nlohmann::json{{"key", key}, {"obstacle", obstacle}}.dump());
  }
  return {obstacle.empty() ? Accelerator::kvm : Accelerator::tcg, obstacle};
}

fs::path find_emulator() {
  // /usr/bin/kvm is the only name on Proxmox VE; on others it may be a script that forces KVM.
  for (const char* name : {"qemu-system-x86_64", "/usr/bin/kvm", "/usr/libexec/qemu-kvm"}) {
    const auto found = find_program(name);
    if (!found.empty()) return found;
  }
  throw EnvironmentError(
      "no QEMU: qemu-system-x86_64, /usr/bin/kvm and /usr/libexec/qemu-kvm are all missing; "
      "install "
      "the package qemu-system-x86 (./setup deps does)");
}

}  // namespace vmtax::guest
