// A run that was killed leaves a QEMU and a root; whoever comes next ends and removes them.
#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "base/fd.hpp"
#include "guest_bench.hpp"
#include "support/catch.hpp"

using namespace vmtax;
namespace fs = std::filesystem;

namespace {

// Starts a guest, tells its pid, and waits to be killed.
[[noreturn]] void run_until_killed(const fs::path& folder, const fs::path& root, int tell) {
  try {
    journal::Journal journal{folder / "journal", "killed", guest::removers()};
    guest::Hypervisor hypervisor{{"embed", root}, journal};
    auto domain = hypervisor.start(test::small_guest(folder));
    domain.channel();
    const pid_t pid = domain.pid();
    if (::write(tell, &pid, sizeof pid) == sizeof pid)
      for (;;) ::pause();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  ::_exit(1);
}

// libvirt locks an open channel by a file outside its root.
bool channel_locked(const fs::path& root) {
  auto name = root.string();
  std::replace(name.begin(), name.end(), '/', '_');
  for (const auto& file : fs::directory_iterator{"/var/lock"})
    if (file.path().filename().string().starts_with("LCK.." + name)) return true;
  return false;
}

}  // namespace

TEST_CASE("the guest of a killed run is ended, beside a living run with a root of its own") {
  if (::geteuid() != 0) VMTAX_SKIP("guests are booted as root");
  const test::TemporaryDirectory dead;
  const auto root = dead.path() / "r";
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const Fd hear{ends[0]};
  Fd tell{ends[1]};
  const pid_t child = ::fork();  // before this process has any thread of libvirt's
  if (child == 0) run_until_killed(dead.path(), root, tell.get());
  tell.reset();
  pid_t qemu = 0;
  REQUIRE(::read(hear.get(), &qemu, sizeof qemu) == sizeof qemu);
  REQUIRE(::kill(child, SIGKILL) == 0);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  REQUIRE(test::alive(qemu));  // that is what the remover is for
  CHECK(channel_locked(root));

  test::GuestBench living;
  const auto other = living.hypervisor.start(living.spec);
  const auto report = journal::clean_dead_runs(dead.path() / "journal", guest::removers());
  for (const auto& line : report.failed) FAIL_CHECK(line);
  CHECK(report.removed.size() == 2);  // the guest, then the root
  CHECK_FALSE(test::alive(qemu));
  CHECK_FALSE(fs::exists(root));
  CHECK_FALSE(channel_locked(root));
  CHECK(fs::is_empty(dead.path() / "journal"));
  CHECK(test::alive(other.pid()));

  const auto again = journal::clean_dead_runs(dead.path() / "journal", guest::removers());
  CHECK(again.removed.empty());
  CHECK_NOTHROW(guest::removers().at("embed_root")({{"root", root.string()}}));
}
