// io_uring with registered buffers and file, one ring per thread, the slot in user_data.
//
// Each slot owns one submission entry that is filled in once: an I/O writes its offset and address
// and one index. liburing sets the ring up; its submission queue is driven directly, because
// io_uring_get_sqe hands entries out in ring order and they would have to be filled in every time.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <liburing.h>

namespace vmtax::kernel {

class IoUringEngine {
 public:
  /// To be made in the thread that uses it. Throws Refused with the cause when the kernel, a
  /// sysctl, a filter or a limit forbids it: the engine is never swapped for another.
  IoUringEngine(int fd, bool writing, std::size_t block_size, std::uint32_t slots,
                std::span<std::byte> region);
  ~IoUringEngine();
  IoUringEngine(const IoUringEngine&) = delete;
  IoUringEngine& operator=(const IoUringEngine&) = delete;

  void queue(std::uint32_t slot, std::uint64_t offset, std::byte* buffer) {
    io_uring_sqe& entry = ring_.sq.sqes[slot];
    entry.off = offset;
    entry.addr = reinterpret_cast<std::uintptr_t>(buffer);
    ring_.sq.array[tail_ & ring_.sq.ring_mask] = slot;
    ++tail_;
    ++queued_;
  }

  int submit() {
    io_uring_smp_store_release(ring_.sq.ktail, tail_);
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
  // GETEVENTS also runs completions that the kernel has deferred to this thread.
  int enter(unsigned to_submit, unsigned to_wait_for) {
    return io_uring_enter(static_cast<unsigned>(ring_.enter_ring_fd), to_submit, to_wait_for,
                          enter_flags_, nullptr);
  }

  io_uring ring_{};
  unsigned enter_flags_ = IORING_ENTER_GETEVENTS;
  unsigned tail_ = 0;
  unsigned queued_ = 0;
};

/// Why setting up a ring failed with this errno, as a person can act on it.
std::string explain_io_uring_error(int number);

}  // namespace vmtax::kernel
