// Whether the next I/O reads or writes, of a job that may do both.
#pragma once

#include <cstdint>

#include "kernel/random.hpp"
#include "kernel/request.hpp"

namespace vmtax::kernel {

class Actions {
 public:
  /// Always the same.
  explicit Actions(Action only) : generator_(0), only_(only) {}

  /// Reads with a probability of `read_percent`, writes otherwise.
  Actions(std::uint32_t read_percent, std::uint64_t seed)
      : generator_(seed), read_percent_(read_percent) {}

  Action next() {
    if (read_percent_ == 0) return only_;
    return below(generator_.next(), 100) < read_percent_ ? Action::read : Action::write;
  }

 private:
  SplitMix64 generator_;
  std::uint32_t read_percent_ = 0;
  Action only_ = Action::read;
};

}  // namespace vmtax::kernel
