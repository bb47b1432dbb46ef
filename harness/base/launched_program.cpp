#include "base/launched_program.hpp"

#include <cerrno>
#include <cstring>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/stdio.hpp>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.hpp"

namespace vmtax {
namespace {

namespace bp = boost::process::v2;

// In the child, between fork and exec: a group of its own, and nothing of ours beyond stdio. It
// ends with the thread that started it, so that a killed vmtax leaves no mkfs at work; a daemon
// that it forks stays.
struct OwnGroup {
  pid_t parent = ::getpid();

  bp::error_code on_exec_setup(bp::posix::default_launcher&, const bp::filesystem::path&,
                               const char* const*) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::raise(SIGKILL);
    ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    return {};
  }
};

std::vector<std::string> child_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text{*entry};
    if (!text.starts_with("LC_") && !text.starts_with("LANG")) entries.emplace_back(text);
  }
  entries.emplace_back("LC_ALL=C");
  return entries;
}

}  // namespace

Pipe::Pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw EnvironmentError(std::string{"no pipe for a child process: "} + std::strerror(errno));
  read = Fd{ends[0]};
  write = Fd{ends[1]};
}

void set_nonblocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

std::string command_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const auto& word : argv) line += (line.empty() ? "" : " ") + word;
  return line;
}

LaunchedProgram::LaunchedProgram(const std::vector<std::string>& argv, int in, int out, int err) {
  const auto program = find_program(argv.at(0));
  if (program.empty())
    throw EnvironmentError("program '" + argv.at(0) +
                           "' is not installed: not found in PATH, /usr/sbin or /sbin");
  const std::vector<std::string> arguments(argv.begin() + 1, argv.end());
  boost::asio::io_context context;
  bp::error_code error;
  auto process = bp::default_process_launcher()(
      context, error, bp::filesystem::path{program}, arguments, bp::process_stdio{in, out, err},
      bp::process_environment(child_environment()), OwnGroup{});
  if (error)
    throw EnvironmentError("'" + command_line(argv) + "' could not be started: " + error.message());
  pid_ = static_cast<pid_t>(process.id());
  process.detach();
  pidfd_ = Fd{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
}

LaunchedProgram::~LaunchedProgram() {
  if (reaped_) return;
  kill_group(SIGKILL);
  reap();
}

void LaunchedProgram::kill_group(int signal) const {
  ::kill(-pid_, signal);
}

bool LaunchedProgram::running() const {
  if (reaped_) return false;
  pollfd watch{pidfd_.get(), POLLIN, 0};
  return ::poll(&watch, 1, 0) == 0;
}

bool LaunchedProgram::await_end(const Deadline& deadline) const {
  while (running()) {
    if (deadline.passed()) return false;
    pollfd watch{pidfd_.get(), POLLIN, 0};
    ::poll(&watch, 1, static_cast<int>(deadline.left().count()));
  }
  return true;
}

// The kernel's own wait status is read here, because Boost's portable exit code can't tell `exit 9`
// from SIGKILL.
void LaunchedProgram::reap() {
  while (!reaped_) {
    if (::waitpid(pid_, &status_, 0) == pid_ || errno == ECHILD) reaped_ = true;
  }
}

void LaunchedProgram::fill(ProcessOutput& output) const {
  if (WIFEXITED(status_)) output.exit_code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) output.signal = WTERMSIG(status_);
}

}  // namespace vmtax
