#include "base/process.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/stdio.hpp>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/interrupt.hpp"

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

std::string command_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const auto& word : argv) line += (line.empty() ? "" : " ") + word;
  return line;
}

struct Pipe {
  Fd read, write;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw EnvironmentError(std::string{"no pipe for a child process: "} + std::strerror(errno));
    read = Fd{ends[0]};
    write = Fd{ends[1]};
  }
};

// A started program of which the group id is the pid. Ended and reaped at the latest when it goes
// out of scope.
class Child {
 public:
  Child(const std::vector<std::string>& argv, int in, int out, int err) {
    const auto program = find_program(argv.at(0));
    if (program.empty())
      throw EnvironmentError("program '" + argv.at(0) +
                             "' is not installed: not found in PATH, /usr/sbin or /sbin");
    const std::vector<std::string> arguments(argv.begin() + 1, argv.end());
    bp::error_code error;
    process_.emplace(bp::default_process_launcher()(
        context_, error, bp::filesystem::path{program}, arguments, bp::process_stdio{in, out, err},
        bp::process_environment(child_environment()), OwnGroup{}));
    if (error)
      throw EnvironmentError("'" + command_line(argv) +
                             "' could not be started: " + error.message());
    pid_ = static_cast<pid_t>(process_->id());
    pidfd_ = Fd{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
  }
  ~Child() {
    if (!reaped_) kill_group(SIGKILL);
    if (!reaped_) reap();
    process_->detach();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }
  void kill_group(int signal) { ::kill(-pid_, signal); }

  bool running() {
    if (reaped_) return false;
    pollfd watch{pidfd_.get(), POLLIN, 0};
    return ::poll(&watch, 1, 0) == 0;
  }

  /// Blocks until the end. The kernel's own wait status is read here, because Boost's portable exit
  /// code can't tell `exit 9` from SIGKILL.
  void reap() {
    while (!reaped_) {
      if (::waitpid(pid_, &status_, 0) == pid_ || errno == ECHILD) reaped_ = true;
    }
  }

  void fill(ProcessOutput& output) const {
    if (WIFEXITED(status_)) output.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) output.signal = WTERMSIG(status_);
  }

 private:
  boost::asio::io_context context_;
  std::optional<bp::process> process_;
  Fd pidfd_;
  pid_t pid_ = 0;
  int status_ = 0;
  bool reaped_ = false;
};

// Appends what is there. False at end of file.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer;
  const auto got = ::read(fd, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

void set_nonblocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

// A file in memory that holds the child's whole input: nothing to pump, no deadlock.
Fd input_file(std::string_view input) {
  Fd file{::memfd_create("input", MFD_CLOEXEC)};
  for (std::size_t done = 0; done < input.size();) {
    const auto put = ::write(file.get(), input.data() + done, input.size() - done);
    if (put < 0)
      throw EnvironmentError(std::string{"no memory for a child's input: "} + std::strerror(errno));
    done += static_cast<std::size_t>(put);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// The last lines of what a program said, for a message of one line.
std::string tail(const std::string& text) {
  std::string line;
  const std::size_t start = text.size() > 600 ? text.size() - 600 : 0;
  for (const char c : text.substr(start)) line += c == '\n' ? ' ' : c;
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string places = std::string{path ? path : "/usr/bin:/bin"} + ":/usr/sbin:/sbin";
  for (std::size_t start = 0; start <= places.size();) {
    const auto end = std::min(places.find(':', start), places.size());
    const auto candidate = std::filesystem::path{places.substr(start, end - start)} / name;
    if (end > start && ::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    start = end + 1;
  }
  return {};
}

ProcessOutput run_process(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                          std::string_view input) {
  const Deadline deadline{"'" + command_line(argv) + "' ends", limit};
  const Fd in = input_file(input);
  Pipe out, err;
  Child child{argv, in.get(), out.write.get(), err.write.get()};
  out.write.reset();
  err.write.reset();
  set_nonblocking(out.read.get());
  set_nonblocking(err.read.get());
  ProcessOutput output;
  std::array<pollfd, 4> watch{{{out.read.get(), POLLIN, 0},
                               {err.read.get(), POLLIN, 0},
                               {child.pidfd(), POLLIN, 0},
                               {interrupt::fd(), POLLIN, 0}}};
  for (bool ended = false; !ended;) {
    interrupt::check();
    if (deadline.passed()) throw EnvironmentError(deadline.missed());
    ::poll(watch.data(), watch.size(), static_cast<int>(deadline.left().count()));
    ended = watch[2].revents != 0;
    if (watch[0].revents && !drain(out.read.get(), output.out)) watch[0].fd = -1;
    if (watch[1].revents && !drain(err.read.get(), output.err)) watch[1].fd = -1;
  }
  // What it wrote before its end is all in the pipes; a daemon it left may keep them open for ever.
  for (auto [pipe, text] : {std::pair{&out, &output.out}, std::pair{&err, &output.err}})
    for (std::size_t before = ~std::size_t{0}; before != text->size();) {
      before = text->size();
      drain(pipe->read.get(), *text);
    }
  child.reap();
  child.fill(output);
  return output;
}

std::string run_checked(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                        std::string_view input) {
  auto output = run_process(argv, limit, input);
  if (output.ok()) return std::move(output.out);
  const auto how = output.signal ? "was ended by signal " + std::to_string(output.signal)
                                 : "exited with " + std::to_string(output.exit_code);
  throw EnvironmentError("'" + command_line(argv) + "' " + how + ": " +
                         tail(output.err.empty() ? output.out : output.err));
}

namespace {

class PipeChannel : public ByteChannel {
 public:
  PipeChannel(Fd from_child, Fd to_child)
      : from_child_(std::move(from_child)), to_child_(std::move(to_child)) {
    set_nonblocking(from_child_.get());
    set_nonblocking(to_child_.get());
  }

  std::size_t read_some(std::span<char> into, const Deadline& deadline) override {
    for (;;) {
      const auto got = ::read(from_child_.get(), into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR)
        throw MeasurementError(std::string{"the agent's pipe can't be read: "} +
                               std::strerror(errno));
      await(from_child_.get(), POLLIN, deadline);
    }
  }

  void write_all(std::string_view bytes, const Deadline& deadline) override {
    while (!bytes.empty()) {
      const auto put = ::write(to_child_.get(), bytes.data(), bytes.size());
      if (put >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(put));
      } else if (errno == EAGAIN || errno == EINTR) {
        await(to_child_.get(), POLLOUT, deadline);
      } else {
        throw MeasurementError(std::string{"the agent can't be written to: "} +
                               std::strerror(errno));
      }
    }
  }

  void close_input() { to_child_.reset(); }

 private:
  static void await(int fd, short events, const Deadline& deadline) {
    interrupt::check();
    if (deadline.passed()) throw MeasurementError(deadline.missed());
    std::array<pollfd, 2> watch{{{fd, events, 0}, {interrupt::fd(), POLLIN, 0}}};
    ::poll(watch.data(), watch.size(), static_cast<int>(deadline.left().count()));
  }

  Fd from_child_, to_child_;
};

// Waits for the child's end; false at the deadline.
bool await_end(Child& child, const Deadline& deadline) {
  while (child.running()) {
    if (deadline.passed()) return false;
    pollfd watch{child.pidfd(), POLLIN, 0};
    ::poll(&watch, 1, static_cast<int>(deadline.left().count()));
  }
  return true;
}

}  // namespace

struct ChildProcess::State {
  std::optional<Child> child;
  std::optional<PipeChannel> channel;

  void end(const Deadline& deadline) {
    if (!await_end(*child, deadline)) child->kill_group(SIGKILL);
    child->reap();
  }
};

ChildProcess::ChildProcess(const std::vector<std::string>& argv, const std::string& stderr_path)
    : state_(std::make_unique<State>()) {
  const Fd err{::open(stderr_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)};
  if (!err)
    throw EnvironmentError("'" + stderr_path + "' can't be written: " + std::strerror(errno));
  Pipe in, out;
  state_->child.emplace(argv, in.read.get(), out.write.get(), err.get());
  state_->channel.emplace(std::move(out.read), std::move(in.write));
}

ChildProcess::~ChildProcess() = default;
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;

pid_t ChildProcess::pid() const {
  return state_->child->pid();
}
bool ChildProcess::running() {
  return state_->child->running();
}
ByteChannel& ChildProcess::channel() {
  return *state_->channel;
}

ProcessOutput ChildProcess::close(const Deadline& deadline) {
  state_->channel->close_input();
  state_->end(deadline);
  ProcessOutput output;
  state_->child->fill(output);
  return output;
}

void ChildProcess::terminate(const Deadline& deadline) {
  state_->child->kill_group(SIGTERM);
  state_->end(deadline);
}

}  // namespace vmtax
