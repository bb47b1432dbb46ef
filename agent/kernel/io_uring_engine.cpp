#include "kernel/io_uring_engine.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <sys/resource.h>

#include "kernel/failures.hpp"

namespace vmtax::kernel {
namespace {

std::string sysctl_value() {
  std::ifstream file{"/proc/sys/kernel/io_uring_disabled"};
  std::string value;
  file >> value;
  return value;
}

bool has_seccomp_filter() {
  std::ifstream file{"/proc/self/status"};
  std::string word;
  while (file >> word)
    if (word == "Seccomp:") return file >> word && word == "2";
  return false;
}

std::string memlock_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : format_bytes(Bytes{limit.rlim_cur});
}

// The leanest ring that the kernel has: completions run in this thread, when it asks for them.
int set_up(std::uint32_t slots, io_uring& ring) {
  int result = -EINVAL;
  for (const unsigned flags :
       {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, IORING_SETUP_COOP_TASKRUN, 0U}) {
    io_uring_params params{};
    params.flags = flags;
    result = io_uring_queue_init_params(slots, &ring, &params);
    if (result != -EINVAL) break;
  }
  return result;
}

}  // namespace

std::string explain_io_uring_error(int number) {
  const std::string plain = std::string{" ("} + std::strerror(number) + ")";
  if (number == EPERM || number == ENOSYS) {
    const auto disabled = sysctl_value();
    if (!disabled.empty() && disabled != "0")
      return "io_uring is not permitted: sysctl kernel.io_uring_disabled is " + disabled + plain;
    if (has_seccomp_filter())
      return "io_uring is not permitted: a seccomp filter (of a container?) forbids it" + plain;
    if (number == ENOSYS)
      return "io_uring is not available: this kernel was built without it" + plain;
    return "io_uring is not permitted: a security module forbids it" + plain;
  }
  if (number == ENOMEM)
    return "io_uring can't lock its memory: RLIMIT_MEMLOCK is " + memlock_limit() +
           ", raise it (ulimit -l)" + plain;
  return std::string{"io_uring can't be set up: "} + std::strerror(number);
}

IoUringEngine::IoUringEngine(int fd, bool writing, std::size_t block_size, std::uint32_t slots,
                             std::span<std::byte> region) {
  if (const int result = set_up(slots, ring_); result < 0)
    throw Refused{explain_io_uring_error(-result), -result};
  const auto leave = [this](int result) {
    io_uring_queue_exit(&ring_);
    throw Refused{explain_io_uring_error(-result), -result};
  };
  if (const int result = io_uring_register_files(&ring_, &fd, 1); result < 0) leave(result);
  const iovec whole{region.data(), region.size()};
  if (const int result = io_uring_register_buffers(&ring_, &whole, 1); result < 0) leave(result);
  // Spares a lookup per call; kernels before 5.18 don't have it.
  if (io_uring_register_ring_fd(&ring_) == 1) enter_flags_ |= IORING_ENTER_REGISTERED_RING;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    io_uring_sqe* entry = &ring_.sq.sqes[slot];
    const auto length = static_cast<unsigned>(block_size);
    if (writing)
      io_uring_prep_write_fixed(entry, 0, region.data(), length, 0, 0);
    else
      io_uring_prep_read_fixed(entry, 0, region.data(), length, 0, 0);
    entry->flags = IOSQE_FIXED_FILE;
    entry->user_data = slot;
  }
  tail_ = *ring_.sq.ktail;
}

// A ring is torn down in the background, and until then its registered file stays open: the next job
// could not open the device O_EXCL. Taken back by name, the file is released at once.
IoUringEngine::~IoUringEngine() {
  io_uring_unregister_files(&ring_);
  io_uring_unregister_buffers(&ring_);
  io_uring_queue_exit(&ring_);
}

}  // namespace vmtax::kernel
