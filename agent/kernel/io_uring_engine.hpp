// io_uring with registered buffers and file, one ring per thread, the slot in user_data.
//
// Each slot owns one submission entry that is filled in once: an I/O writes its opcode, offset and
// address and one index. liburing sets the ring up; its submission queue is driven directly,
// because io_uring_get_sqe hands entries out in ring order and they would have to be filled in
// every time.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <liburing.h>

#include "kernel/request.hpp"

namespace vmtax::kernel {

class IoUringEngine {
 public:
  /// To be made in the thread that uses it. Throws Refused with the cause when the kernel, a
  /// sysctl, a filter or a limit forbids it: the engine is never swapped for another.
  explicit IoUringEngine(const EngineSetup& setup);
  ~IoUringEngine();
  IoUringEngine(const IoUringEngine&) = delete;
  IoUringEngine& operator=(const IoUringEngine&) = delete;

  void queue(std::uint32_t slot, const Request& request) {
    io_uring_sqe& entry = ring_.sq.sqes[slot];
    fill(entry, request);
    ring_.sq.array[tail_ & ring_.sq.ring_mask] = slot;
    ++tail_;
    ++queued_;
  }

  int submit() {
    io_uring_smp_store_release(ring_.sq.ktail, tail_);
    if (sqpoll_) return wake_poller();
    while (queued_ > 0) {
      const int taken = enter(queued_, 0);
      if (taken == -EINTR) continue;
      if (taken <= 0) return taken < 0 ? taken : -EAGAIN;
      queued_ -= static_cast<unsigned>(taken);
    }
    return 0;
  }

  bool has_completions() const {
    return io_uring_smp_load_acquire(ring_.cq.ktail) != *ring_.cq.khead;
  }

  int wait() {
    const int result = enter(0, 1);
    return result < 0 ? result : 0;
  }

  int wait_for(std::uint64_t ns) {
    __kernel_timespec limit{static_cast<std::int64_t>(ns / 1'000'000'000U),
                            static_cast<long long>(ns % 1'000'000'000U)};
    io_uring_getevents_arg argument{};
    argument.ts = reinterpret_cast<std::uintptr_t>(&limit);
    const int result = io_uring_enter2(static_cast<unsigned>(ring_.enter_ring_fd), 0, 1,
                                       enter_flags_ | IORING_ENTER_EXT_ARG,
                                       reinterpret_cast<sigset_t*>(&argument), sizeof argument);
    return result < 0 && result != -ETIME ? result : 0;
  }

  template <class Take>
  void reap(Take&& take) {
    unsigned head = *ring_.cq.khead;
    const unsigned tail = io_uring_smp_load_acquire(ring_.cq.ktail);
    for (; head != tail; ++head) {
      const io_uring_cqe& entry = ring_.cq.cqes[head & ring_.cq.ring_mask];
      take(static_cast<std::uint32_t>(entry.user_data), std::int64_t{entry.res});
    }
    io_uring_smp_store_release(ring_.cq.khead, head);
  }

 private:
  void fill(io_uring_sqe& entry, const Request& request) const {
    if (request.action == Action::flush) {
      entry.opcode = IORING_OP_FSYNC;
      entry.fsync_flags = flush_flags_;
      entry.off = entry.addr = entry.len = 0;
      return;
    }
    entry.opcode = request.action == Action::write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;
    entry.rw_flags = 0;
    entry.off = request.offset;
    entry.addr = reinterpret_cast<std::uintptr_t>(request.buffer);
    entry.len = block_size_;
  }

  // GETEVENTS also runs completions that the kernel has deferred to this thread.
  int enter(unsigned to_submit, unsigned to_wait_for) {
    return io_uring_enter(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, to_wait_for,
                          enter_flags_, nullptr);
  }

  // The poller's thread sleeps when it had nothing to do for a while.
  int wake_poller() {
    queued_ = 0;
    io_uring_smp_mb();
    if (!(io_uring_smp_load_acquire(ring_.sq.kflags) & IORING_SQ_NEED_WAKEUP)) return 0;
    const int result = io_uring_enter(static_cast<unsigned>(ring_.enter_ring_fd), 0, 0,
                                      enter_flags_ | IORING_ENTER_SQ_WAKEUP, nullptr);
    return result < 0 && result != -EINTR ? result : 0;
  }

  io_uring ring_{};
  unsigned block_size_;
  unsigned flush_flags_;
  bool sqpoll_;
  unsigned enter_flags_ = IORING_ENTER_GETEVENTS;
  unsigned tail_ = 0;
  unsigned queued_ = 0;
};

}  // namespace vmtax::kernel
