#include "agent/device_wait.hpp"

#include <algorithm>
#include <array>

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

namespace vmtax::agent {
namespace {

// Without the announcements (a kernel without netlink) this is the pace of looking; with them, a
// bound on how late an attribute is seen that is set after its device was announced.
constexpr std::chrono::milliseconds look_again{100};

}  // namespace

DeviceWait::DeviceWait()
    : events_(
          ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT)) {
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = 1;  // the kernel's own
  if (events_ &&
      ::bind(events_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    events_ = kernel::Descriptor{};
}

bool DeviceWait::until(const std::function<bool()>& there, std::chrono::milliseconds limit) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + limit;
  for (;;) {
    if (there()) return true;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    pollfd fd{events_.get(), POLLIN, 0};
    ::poll(&fd, 1, static_cast<int>(std::min(left, look_again).count()));
    std::array<char, 8192> announcement;
    while (events_ && ::recv(events_.get(), announcement.data(), announcement.size(), 0) > 0) {
    }
  }
}

}  // namespace vmtax::agent
