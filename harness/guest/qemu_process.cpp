#include "guest/qemu_process.hpp"

#include <charconv>
#include <csignal>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"

namespace vmtax::guest {
namespace {

// The arguments, each with its terminating NUL.
std::string command_line(pid_t pid) {
  return read_attribute("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
}

bool is_guest(const std::string& arguments) {
  static const std::string name_option{"\0-name\0guest=", 13};
  return arguments.find(name_option) != std::string::npos;
}

}  // namespace

std::optional<QemuProcess> QemuProcess::hold(pid_t pid) {
  Fd pidfd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
  if (!pidfd) return std::nullopt;
  return QemuProcess{pid, std::move(pidfd)};
}

std::optional<QemuProcess> QemuProcess::named(pid_t pid, const std::string& name) {
  auto process = hold(pid);
  if (!process) return std::nullopt;
  const auto arguments = command_line(pid);
  const auto start = "guest=" + name;
  const auto at = arguments.find(start);
  if (!is_guest(arguments) || at == std::string::npos) return std::nullopt;
  const char next = at + start.size() < arguments.size() ? arguments[at + start.size()] : '\0';
  if (next != ',' && next != '\0') return std::nullopt;
  return process;
}

std::vector<QemuProcess> QemuProcess::of_root(const std::filesystem::path& root) {
  const auto proof = root.string() + "/lib/qemu/";
  std::vector<QemuProcess> found;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
    const auto name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    auto process = hold(pid);  // before the look, so that the look is at what is held
    if (!process) continue;
    const auto arguments = command_line(pid);
    if (is_guest(arguments) && arguments.find(proof) != std::string::npos)
      found.push_back(std::move(*process));
  }
  return found;
}

bool QemuProcess::wait_gone(const Deadline& deadline) const {
  pollfd all[] = {{pidfd_.get(), POLLIN, 0}, {interrupt::fd(), POLLIN, 0}};
  for (;;) {
    ::poll(all, 2, static_cast<int>(deadline.left().count()));
    if (all[0].revents != 0) return true;
    if (deadline.passed() || interrupt::requested()) return false;
  }
}

void QemuProcess::signal(int number) const {
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), number, nullptr, 0);
}

void QemuProcess::end() const {
  using std::chrono::seconds;
  const interrupt::Shield shield;
  signal(SIGTERM);
  if (wait_gone(Deadline{"QEMU ends on SIGTERM", seconds{5}})) return;
  signal(SIGKILL);
  const Deadline killed{"QEMU ends on SIGKILL", seconds{10}};
  if (!wait_gone(killed))
    throw EnvironmentError("QEMU, pid " + std::to_string(pid_) + ": " + killed.missed() +
                           "; it hangs in the kernel, see /proc/" + std::to_string(pid_) +
                           "/stack");
}

}  // namespace vmtax::guest
