#include "base/child_process.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/interrupt.hpp"
#include "base/launched_program.hpp"

namespace vmtax {
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

}  // namespace

struct ChildProcess::State {
  std::optional<LaunchedProgram> child;
  std::optional<PipeChannel> channel;

  void end(const Deadline& deadline) {
    if (!child->await_end(deadline)) child->kill_group(SIGKILL);
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
