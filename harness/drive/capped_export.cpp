#include "drive/capped_export.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/un.h>
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

constexpr const char* server = "qemu-storage-daemon";
constexpr const char* shower = "nbdfuse";

// Whether `program` is a word of the command line, also behind the setsid and sh that start it.
bool runs(pid_t pid, const std::string& program) {
  std::istringstream words(
      read_attribute("/proc/" + std::to_string(pid) + "/cmdline").value_or(""));
  for (std::string word; std::getline(words, word, '\0');)
    if (fs::path{word}.filename() == program) return true;
  return false;
}

std::vector<pid_t> running(const std::string& program, const fs::path& named) {
  auto pids = processes_naming(named);
  std::erase_if(pids, [&](pid_t pid) { return !runs(pid, program); });
  return pids;
}

// By a pidfd that was opened before the last look at the command line, so that the signal can't
// reach a stranger that got the number in between.
void signal_all(const std::string& program, const fs::path& named, int signal) {
  for (const pid_t pid : running(program, named)) {
    const Fd process{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
    if (process && runs(pid, program))
      ::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
  }
}

// Neither has anything to lose by SIGKILL: no request is under way, nobody has the file open.
void end_program(const std::string& program, const fs::path& named) {
  const auto gone = [&] { return running(program, named).empty(); };
  signal_all(program, named, SIGTERM);
  if (wait_until(Deadline{program + " ends", 3s}, gone)) return;
  signal_all(program, named, SIGKILL);
  const Deadline killed{"the killed " + program + " is gone", 15s};
  if (!wait_until(killed, gone))
    throw EnvironmentError(killed.missed() + ": " + describe_processes(running(program, named)));
}

void unmount_export(const fs::path& mountpoint) {
  const Deadline deadline{"the export at '" + mountpoint.string() + "' is unmounted", 15s};
  int error = 0;
  wait_until(deadline, [&] {
    if (!mounted_at(mountpoint)) return true;
    error = ::umount2(mountpoint.c_str(), UMOUNT_NOFOLLOW) == 0 ? 0 : errno;
    return error != 0 && error != EBUSY;
  });
  if (mounted_at(mountpoint))
    throw EnvironmentError(deadline.missed() + ": " + std::strerror(error));
}

void require_programs() {
  for (const auto& [program, package] :
       {std::pair{server, "qemu-system-common"}, std::pair{shower, "libnbd-bin"}})
    if (find_program(program).empty())
      throw EnvironmentError(std::string{"a capped stand-in needs "} + program +
                             ": install the package " + package);
}

void start_shower(const CappedExport& spec) {
  // Detached, with its own log: it lives longer than any pipe to it, and may write to it at its
  // end.
  run_checked(
      {"setsid", "--fork", "sh", "-c", R"(exec "$0" "$1" --unix "$2" >>"$3" 2>&1 </dev/null)",
       shower, spec.mountpoint().string(), spec.socket().string(), spec.log().string()},
      10s);
  const auto size = fs::file_size(spec.file());
  const Deadline deadline{"nbdfuse shows '" + spec.mountpoint().string() + "'", 20s};
  std::error_code error;
  const bool shown = wait_until(deadline, [&] {
    return (mounted_at(spec.mountpoint()) && fs::file_size(spec.mountpoint(), error) == size) ||
           running(shower, spec.mountpoint()).empty();
  });
  if (!shown || !mounted_at(spec.mountpoint()))
    throw EnvironmentError(deadline.missed() + ": " + read_attribute(spec.log()).value_or(""));
}

}  // namespace

std::vector<std::string> server_arguments(const CappedExport& spec) {
  json group{{"qom-type", "throttle-group"}, {"id", "cap"}};
  if (spec.iops) group["x-iops-total"] = spec.iops;
  if (spec.bandwidth_per_second.value) group["x-bps-total"] = spec.bandwidth_per_second.value;
  const json file{
      {"driver", "file"}, {"node-name", "file"},         {"filename", spec.file().string()},
      {"aio", "native"},  {"cache", {{"direct", true}}}, {"discard", "unmap"}};
  const json capped{{"driver", "throttle"},
                    {"node-name", "capped"},
                    {"throttle-group", "cap"},
                    {"file", "file"},
                    {"discard", "unmap"}};
  const json listen{{"addr", {{"type", "unix"}, {"path", spec.socket().string()}}}};
  const json nbd{
      {"type", "nbd"}, {"id", "export"}, {"node-name", "capped"}, {"name", ""}, {"writable", true}};
  return {server,        "--object",     group.dump(),  "--blockdev", file.dump(), "--blockdev",
          capped.dump(), "--nbd-server", listen.dump(), "--export",   nbd.dump(),  "--daemonize"};
}

void start_export(const CappedExport& spec) {
  require_programs();
  if (spec.socket().string().size() >= sizeof(sockaddr_un::sun_path))
    throw EnvironmentError("'" + spec.socket().string() +
                           "' is too long for a socket: choose a "
                           "directory with a shorter path");
  const Fd mountpoint{
      ::open(spec.mountpoint().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (!mountpoint)
    throw EnvironmentError("'" + spec.mountpoint().string() +
                           "' can't be made: " + std::strerror(errno));
  // With --daemonize it returns when the socket listens, or with the reason why it can't.
  run_checked(server_arguments(spec), 30s);
  start_shower(spec);
}

void end_export(const CappedExport& spec) {
  if (const auto loops = loops_over(spec.mountpoint()); !loops.empty())
    throw EnvironmentError("the capped file '" + spec.mountpoint().string() +
                           "' can't be ended while " + loops.front() + " lies over it");
  // Its mount gone, nbdfuse ends at once; a signal alone may reach a thread that wakes nobody.
  unmount_export(spec.mountpoint());
  end_program(shower, spec.mountpoint());
  unmount_export(spec.mountpoint());
  end_program(server, spec.file());
  for (const auto& path : {spec.mountpoint(), spec.socket(), spec.log()})
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      throw EnvironmentError("'" + path.string() + "' can't be removed: " + std::strerror(errno));
}

}  // namespace vmtax::drive
