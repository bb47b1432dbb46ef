// What the measuring thread shows to the thread that watches it, and the one thing it is told.
#pragma once

#include <atomic>
#include <cstdint>

namespace vmtax::kernel {

struct LoopControl {
  enum Order : int { go_on, end_as_stopped, end_as_stalled };

  std::atomic<std::uint64_t> started_ns{0};  ///< 0 until the first I/O
  std::atomic<std::uint64_t> ios{0};         ///< completed, the ramp's included
  std::atomic<int> order{go_on};             ///< looked at after each wait; a signal interrupts one
};

}  // namespace vmtax::kernel
