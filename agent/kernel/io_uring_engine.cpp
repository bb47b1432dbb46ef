#include "kernel/io_uring_engine.hpp"

#include <array>

#include "kernel/engine_errors.hpp"
#include "kernel/failures.hpp"

namespace vmtax::kernel {
namespace {

// The leanest ring that the kernel has: completions run in this thread, when it asks for them. With
// a poller's thread there is nothing to defer to this one.
int set_up(const EngineSetup& setup, io_uring& ring) {
  const unsigned poll = setup.iopoll ? IORING_SETUP_IOPOLL : 0U;
  static constexpr std::array plain{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                    IORING_SETUP_COOP_TASKRUN, 0U};
  static constexpr std::array polled{IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER,
                                     IORING_SETUP_SQPOLL, IORING_SETUP_SQPOLL};
  int result = -EINVAL;
  for (const unsigned flags : setup.sqpoll ? polled : plain) {
    io_uring_params params{};
    params.flags = flags | poll;
    params.sq_thread_idle = 1000;
    result = io_uring_queue_init_params(setup.slots, &ring, &params);
    if (result != -EINVAL) break;
  }
  return result;
}

}  // namespace

IoUringEngine::IoUringEngine(const EngineSetup& setup)
    : block_size_(static_cast<unsigned>(setup.block_size)),
      flush_flags_(setup.data_only ? IORING_FSYNC_DATASYNC : 0U),
      sqpoll_(setup.sqpoll) {
  if (const int result = set_up(setup, ring_); result < 0)
    throw Refused{explain_io_uring_error(-result), -result};
  const auto leave = [this](int result) {
    io_uring_queue_exit(&ring_);
    throw Refused{explain_io_uring_error(-result), -result};
  };
  if (const int result = io_uring_register_files(&ring_, &setup.fd, 1); result < 0) leave(result);
  const iovec whole{setup.memory, setup.memory_size};
  if (const int result = io_uring_register_buffers(&ring_, &whole, 1); result < 0) leave(result);
  // Spares a lookup per call; kernels before 5.18 don't have it.
  if (io_uring_register_ring_fd(&ring_) == 1) enter_flags_ |= IORING_ENTER_REGISTERED_RING;
  for (std::uint32_t slot = 0; slot < setup.slots; ++slot) {
    io_uring_sqe& entry = ring_.sq.sqes[slot];
    entry = {};
    entry.flags = IOSQE_FIXED_FILE;
    entry.user_data = slot;
  }
  tail_ = *ring_.sq.ktail;
}

// A ring is torn down in the background, and until then its registered file stays open: the next
// job could not open the device O_EXCL. Taken back by name, the file is released at once.
IoUringEngine::~IoUringEngine() {
  io_uring_unregister_files(&ring_);
  io_uring_unregister_buffers(&ring_);
  io_uring_queue_exit(&ring_);
}

}  // namespace vmtax::kernel
