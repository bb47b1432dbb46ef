// The agent's end of the line to its harness: standard input and output, or a virtio-serial port.
//
// A pipe that was closed is over. A virtio-serial port hangs up when the host's end closes and may
// be connected again: until then reads give 0 and poll says POLLHUP without pause, so the port is
// left alone and the driver's SIGIO (sent whenever the host connects or leaves) is waited for
// instead.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "kernel/descriptor.hpp"

namespace vmtax::agent {

class Port {
 public:
  enum class Event { data, other_fd, timeout, hung_up, closed };

  static Port standard_io();

  /// The virtio-serial port of this name: /dev/virtio-ports/NAME, or the /dev/vportNpM that sysfs
  /// says has it. Waits until the driver has made it. Throws kernel::Refused after `limit`. Blocks
  /// SIGIO for this thread and those that it starts: call it before any is started.
  static Port named(const std::string& name, std::chrono::milliseconds limit);

  /// Waits for bytes from the harness (appended to `into`), for `other_fd` to become readable, or
  /// for `limit`. hung_up: nobody is at the other end now; closed: nobody will ever be.
  Event wait(int other_fd, std::chrono::milliseconds limit, std::string& into);

  /// False when the other end doesn't take the bytes within `limit`, or is gone.
  bool write(std::string_view bytes, std::chrono::milliseconds limit);

 private:
  Port() = default;

  int in_ = 0;
  int out_ = 1;
  bool can_reconnect_ = false;
  bool hung_up_ = false;
  std::size_t write_chunk_ = 0;
  kernel::Descriptor device_;
  kernel::Descriptor signals_;
};

}  // namespace vmtax::agent
