// Linux AIO: io_submit and io_getevents, as libaio calls them. Driven by its system calls, because
// all that the library adds is their wrapping.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel/request.hpp"

namespace vmtax::kernel {

class LibaioEngine {
 public:
  /// Throws Refused with the cause when the kernel, a sysctl or a filter forbids it.
  explicit LibaioEngine(const EngineSetup& setup);
  ~LibaioEngine();
  LibaioEngine(const LibaioEngine&) = delete;
  LibaioEngine& operator=(const LibaioEngine&) = delete;

  void queue(std::uint32_t slot, const Request& request) {
    iocb& block = blocks_[slot];
    block.aio_lio_opcode = opcode(request.action);
    block.aio_offset = static_cast<std::int64_t>(request.offset);
    block.aio_buf = reinterpret_cast<std::uintptr_t>(request.buffer);
    block.aio_nbytes = request.action == Action::flush ? 0 : block_size_;
    queued_[queued_count_++] = &block;
  }

  int submit() {
    std::size_t done = 0;
    while (done < queued_count_) {
      const long taken = ::syscall(SYS_io_submit, context_, queued_count_ - done, &queued_[done]);
      if (taken < 0 && errno == EINTR) continue;
      if (taken <= 0) return taken < 0 ? -errno : -EAGAIN;
      done += static_cast<std::size_t>(taken);
    }
    queued_count_ = 0;
    return 0;
  }

  bool has_completions() const { return completed_ != 0; }
  int wait() { return get_events(nullptr); }
  int wait_for(std::uint64_t ns) {
    timespec limit{static_cast<time_t>(ns / 1'000'000'000U),
                   static_cast<long>(ns % 1'000'000'000U)};
    return get_events(&limit);
  }

  template <class Take>
  void reap(Take&& take) {
    for (std::size_t i = 0; i < completed_; ++i)
      take(static_cast<std::uint32_t>(events_[i].data), std::int64_t{events_[i].res});
    completed_ = 0;
  }

 private:
  std::uint16_t opcode(Action action) const {
    if (action == Action::read) return IOCB_CMD_PREAD;
    if (action == Action::write) return IOCB_CMD_PWRITE;
    return flush_opcode_;
  }

  int get_events(timespec* limit) {
    const long got =
        ::syscall(SYS_io_getevents, context_, 1L, events_.size(), events_.data(), limit);
    if (got < 0) return -errno;
    completed_ = static_cast<std::size_t>(got);
    return 0;
  }

  aio_context_t context_ = 0;
  std::size_t block_size_;
  std::uint16_t flush_opcode_;
  std::vector<iocb> blocks_;
  std::vector<iocb*> queued_;
  std::vector<io_event> events_;
  std::size_t queued_count_ = 0;
  std::size_t completed_ = 0;
};

}  // namespace vmtax::kernel
