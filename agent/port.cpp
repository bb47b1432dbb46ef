#include "agent/port.hpp"

#include <array>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "agent/attribute.hpp"
#include "agent/device_wait.hpp"
#include "kernel/failures.hpp"

namespace vmtax::agent {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The largest that the virtio console driver sends at once.
constexpr std::size_t port_chunk = 32768;

std::string find_port(const std::string& name) {
  std::error_code error;
  const auto link = fs::path{"/dev/virtio-ports"} / name;
  if (fs::exists(link, error)) return link.string();
  for (const auto& entry : fs::directory_iterator{"/sys/class/virtio-ports", error})
    if (read_attribute(entry.path() / "name") == name)
      return "/dev/" + entry.path().filename().string();
  return {};
}

kernel::Descriptor host_changes(int device) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGIO);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::fcntl(device, F_SETOWN, ::getpid());
  ::fcntl(device, F_SETFL, O_NONBLOCK | O_ASYNC);
  return kernel::Descriptor{::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
}

int left_ms(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return left > 0 ? static_cast<int>(left) : 0;
}

}  // namespace

Port Port::standard_io() {
  ::signal(SIGPIPE, SIG_IGN);
  Port port;
  port.write_chunk_ = PIPE_BUF;  // a pipe that polls writable takes as much without blocking
  return port;
}

Port Port::named(const std::string& name, std::chrono::milliseconds limit) {
  const DeviceWait devices;
  const auto open_it = [&] {
    const auto path = find_port(name);
    if (path.empty()) return kernel::Descriptor{};
    return kernel::Descriptor{::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK)};
  };
  Port port;
  if (!devices.until([&] { return bool(port.device_ = open_it()); }, limit))
    throw kernel::Refused{"there is no virtio-serial port named " + name + " that can be opened"};
  port.signals_ = host_changes(port.device_.get());
  port.in_ = port.out_ = port.device_.get();
  port.can_reconnect_ = true;
  port.write_chunk_ = port_chunk;
  return port;
}

Port::Event Port::wait(int other_fd, std::chrono::milliseconds limit, std::string& into) {
  std::array<pollfd, 3> fds{
      {{hung_up_ ? -1 : in_, POLLIN, 0}, {other_fd, POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(limit.count()));
  if (ready <= 0) return hung_up_ ? Event::hung_up : Event::timeout;
  if (fds[2].revents) {
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) > 0) {
    }
    hung_up_ = false;  // looked at again with the next wait
  }
  if (fds[1].revents) return Event::other_fd;
  if (!fds[0].revents) return hung_up_ ? Event::hung_up : Event::timeout;

  std::array<char, 65536> chunk;
  const auto got = ::read(in_, chunk.data(), chunk.size());
  if (got > 0) {
    into.append(chunk.data(), static_cast<std::size_t>(got));
    return Event::data;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR) && !(fds[0].revents & POLLHUP))
    return Event::timeout;
  if (!can_reconnect_) return Event::closed;
  hung_up_ = true;
  return Event::hung_up;
}

bool Port::write(std::string_view bytes, std::chrono::milliseconds limit) {
  const auto until = Clock::now() + limit;
  while (!bytes.empty()) {
    pollfd fd{out_, POLLOUT, 0};
    const int ready = ::poll(&fd, 1, left_ms(until));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || !(fd.revents & POLLOUT)) return false;
    const auto done = ::write(out_, bytes.data(), std::min(bytes.size(), write_chunk_));
    if (done < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace vmtax::agent
