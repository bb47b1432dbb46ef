// No I/O at all: a job on it measures the instrument itself, per I/O, with everything but the
// system calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/request.hpp"

namespace vmtax::kernel {

class NullEngine {
 public:
  explicit NullEngine(const EngineSetup& setup)
      : block_size_(static_cast<std::int64_t>(setup.block_size)),
        queued_(setup.slots),
        done_(setup.slots) {}

  void queue(std::uint32_t slot, const Request& request) {
    const bool moves = request.action == Action::read || request.action == Action::write;
    queued_[count_++] = {slot, moves ? block_size_ : 0};
  }

  int submit() { return 0; }
  bool has_completions() const { return count_ != 0; }
  int wait() { return 0; }
  int wait_for(std::uint64_t) { return 0; }

  template <class Take>
  void reap(Take&& take) {
    done_.swap(queued_);  // taking queues anew
    const std::size_t finished = count_;
    count_ = 0;
    for (std::size_t i = 0; i < finished; ++i) take(done_[i].slot, done_[i].moved);
  }

 private:
  struct Done {
    std::uint32_t slot;
    std::int64_t moved;
  };

  std::int64_t block_size_;
  std::vector<Done> queued_, done_;
  std::size_t count_ = 0;
};

}  // namespace vmtax::kernel
