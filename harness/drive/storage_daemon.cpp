#include "drive/storage_daemon.hpp"

#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "drive/device_use.hpp"
#include "drive/mount_table.hpp"
#include "drive/processes.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr const char* program = "qemu-storage-daemon";

// argv[0] may be a path.
bool is_daemon(pid_t pid) {
  const auto words = read_attribute("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
  return fs::path{words.substr(0, words.find('\0'))}.filename() == program;
}

std::vector<pid_t> daemons_at(const fs::path& mountpoint) {
  auto pids = processes_naming(mountpoint);
  std::erase_if(pids, [](pid_t pid) { return !is_daemon(pid); });
  return pids;
}

// By a pidfd that was opened before the last look at the command line, so that the signal can't
// reach a stranger that got the number in between.
void signal_daemons(const fs::path& mountpoint, int signal) {
  for (const pid_t pid : daemons_at(mountpoint)) {
    const Fd process{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
    if (process && is_daemon(pid))
      ::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
  }
}

void end_processes(const fs::path& mountpoint) {
  const auto gone = [&] { return daemons_at(mountpoint).empty(); };
  signal_daemons(mountpoint, SIGTERM);
  if (wait_until(Deadline{"the storage daemon ends", 15s}, gone)) return;
  signal_daemons(mountpoint, SIGKILL);
  const Deadline killed{"the killed storage daemon is gone", 15s};
  if (!wait_until(killed, gone))
    throw EnvironmentError(killed.missed() + ": " + describe_processes(daemons_at(mountpoint)));
}

void unmount_export(const fs::path& mountpoint) {
  const Deadline deadline{"the FUSE export at '" + mountpoint.string() + "' is unmounted", 15s};
  const bool gone = wait_until(deadline, [&] {
    return !mounted_at(mountpoint) || (::umount2(mountpoint.c_str(), 0) != 0 && errno != EBUSY);
  });
  if (!gone || mounted_at(mountpoint))
    throw EnvironmentError(deadline.missed() + ": " + std::strerror(errno));
}

}  // namespace

std::vector<std::string> daemon_arguments(const ThrottledExport& spec) {
  json group{{"qom-type", "throttle-group"}, {"id", "cap"}};
  if (spec.iops) group["x-iops-total"] = spec.iops;
  if (spec.bandwidth_per_second.value) group["x-bps-total"] = spec.bandwidth_per_second.value;
  const json file{{"driver", "file"},
                  {"node-name", "file"},
                  {"filename", spec.file.string()},
                  {"aio", "native"},
                  {"cache", {{"direct", true}}}};
  const json capped{
      {"driver", "throttle"}, {"node-name", "capped"}, {"throttle-group", "cap"}, {"file", "file"}};
  const json fuse{{"type", "fuse"},        {"id", "export"},
                  {"node-name", "capped"}, {"mountpoint", spec.mountpoint.string()},
                  {"writable", true},      {"growable", false}};
  return {program,      "--object",    group.dump(), "--blockdev", file.dump(),
          "--blockdev", capped.dump(), "--export",   fuse.dump(),  "--daemonize"};
}

void start_daemon(const ThrottledExport& spec) {
  if (find_program(program).empty())
    throw EnvironmentError(std::string{"a capped stand-in needs "} + program +
                           ": install the package qemu-system-common");
  // With --daemonize it returns when the export is mounted, or with the reason why it can't be.
  run_checked(daemon_arguments(spec), 30s);
  std::error_code error;
  const auto size = fs::file_size(spec.mountpoint, error);
  if (!mounted_at(spec.mountpoint) || error || size != fs::file_size(spec.file))
    throw EnvironmentError("the FUSE export at '" + spec.mountpoint.string() +
                           "' does not show the file");
}

void end_daemon(const fs::path& mountpoint) {
  if (const auto loops = loops_over(mountpoint); !loops.empty())
    throw EnvironmentError("the storage daemon at '" + mountpoint.string() +
                           "' can't be ended while " + loops.front() + " lies over it");
  end_processes(mountpoint);
  unmount_export(mountpoint);
}

}  // namespace vmtax::drive
