// pread, pwrite, discard and fsync: one request in flight.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/request.hpp"

namespace vmtax::kernel {

/// An engine, as the measuring loop wants it: queue a request per slot, submit what is queued, wait
/// (or wait at most so long) until something is complete, reap. 0 or a negative errno; a wait gives
/// -EINTR after a signal. What is reaped of a read or write are its bytes, of others 0.
class PsyncEngine {
 public:
  explicit PsyncEngine(const EngineSetup& setup)
      : fd_(setup.fd), data_only_(setup.data_only), block_size_(setup.block_size) {
    struct stat status {};
    is_block_ = ::fstat(fd_, &status) == 0 && S_ISBLK(status.st_mode);
  }

  void queue(std::uint32_t slot, const Request& request) {
    slot_ = slot;
    request_ = request;
  }

  int submit() { return 0; }
  bool has_completions() const { return done_; }

  int wait() {
    const auto moved = perform();
    if (moved < 0 && errno == EINTR) return -EINTR;
    result_ = moved < 0 ? -errno : static_cast<std::int64_t>(moved);
    done_ = true;
    return 0;
  }
  int wait_for(std::uint64_t) { return wait(); }

  template <class Take>
  void reap(Take&& take) {
    done_ = false;
    take(slot_, result_);
  }

 private:
  ssize_t perform() {
    switch (request_.action) {
      case Action::read:
        return ::pread(fd_, request_.buffer, block_size_, static_cast<off_t>(request_.offset));
      case Action::write:
        return ::pwrite(fd_, request_.buffer, block_size_, static_cast<off_t>(request_.offset));
      case Action::trim:
        return trim();
      case Action::flush:
        break;
    }
    return data_only_ ? ::fdatasync(fd_) : ::fsync(fd_);
  }

  int trim() {
    if (is_block_) {
      std::uint64_t range[2] = {request_.offset, block_size_};
      return ::ioctl(fd_, BLKDISCARD, range);
    }
    return ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                       static_cast<off_t>(request_.offset), static_cast<off_t>(block_size_));
  }

  int fd_;
  bool data_only_;
  bool is_block_ = false;
  bool done_ = false;
  std::size_t block_size_;
  std::uint32_t slot_ = 0;
  Request request_;
  std::int64_t result_ = 0;
};

}  // namespace vmtax::kernel
