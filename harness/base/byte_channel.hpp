// A two-way stream of bytes to an agent: the pipes of a child process, or a guest's virtio-serial
// port.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/deadline.hpp"

namespace vmtax {

class ByteChannel {
 public:
  virtual ~ByteChannel() = default;

  /// Waits for at least one byte and returns how many were read; 0 means the other end is closed.
  /// Throws MeasurementError(deadline.missed()) at the deadline, Interrupted when a stop is asked.
  virtual std::size_t read_some(std::span<char> into, const Deadline& deadline) = 0;

  /// Writes everything or throws, as read_some does; a closed other end is a MeasurementError.
  virtual void write_all(std::string_view bytes, const Deadline& deadline) = 0;
};

}  // namespace vmtax
