// pread and pwrite: one I/O in flight.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <unistd.h>

namespace vmtax::kernel {

/// An engine, as the measuring loop wants it: queue an I/O per slot, submit what is queued, wait
/// until something is complete, reap. 0 or a negative errno; wait gives -EINTR after a signal.
class PsyncEngine {
 public:
  PsyncEngine(int fd, bool writing, std::size_t block_size)
      : fd_(fd), writing_(writing), block_size_(block_size) {}

  void queue(std::uint32_t, std::uint64_t offset, std::byte* buffer) {
    offset_ = static_cast<off_t>(offset);
    buffer_ = buffer;
  }

  int submit() { return 0; }
  bool has_completions() const { return done_; }

  int wait() {
    const auto moved = writing_ ? ::pwrite(fd_, buffer_, block_size_, offset_)
                                : ::pread(fd_, buffer_, block_size_, offset_);
    if (moved < 0 && errno == EINTR) return -EINTR;
    result_ = moved < 0 ? -errno : static_cast<std::int64_t>(moved);
    done_ = true;
    return 0;
  }

  template <class Take>
  void reap(Take&& take) {
    done_ = false;
    take(std::uint32_t{0}, result_);
  }

 private:
  int fd_;
  bool writing_;
  bool done_ = false;
  std::size_t block_size_;
  off_t offset_ = 0;
  std::byte* buffer_ = nullptr;
  std::int64_t result_ = 0;
};

}  // namespace vmtax::kernel
