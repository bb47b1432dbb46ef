// When the I/Os of an open loop are to start: evenly, or as a Poisson process with exponential
// gaps. The times are a list of their own that nothing which happens can move.
#pragma once

#include <cstdint>

#include "kernel/exact_math.hpp"
#include "kernel/random.hpp"

namespace vmtax::kernel {

class Arrivals {
 public:
  /// A closed loop has none.
  Arrivals() : generator_(0) {}

  /// `per_second` above 0. The first arrival is at the time given to `begin`, plus a gap.
  Arrivals(double per_second, bool poisson, std::uint64_t seed)
      : generator_(seed), gap_ns_(1e9 / per_second), poisson_(poisson) {}

  bool active() const { return gap_ns_ > 0; }

  void begin(std::uint64_t now) {
    begin_ = now;
    elapsed_ = 0;
    advance();
  }

  std::uint64_t next_ns() const { return next_; }

  void advance() {
    // A sum of gaps and not of rounded times: the rate is exact in the long run.
    elapsed_ += poisson_ ? gap_ns_ * exponential() : gap_ns_;
    next_ = begin_ + static_cast<std::uint64_t>(elapsed_);
  }

 private:
  double exponential() {
    const double even = (static_cast<double>(generator_.next() >> 11) + 0.5) * 0x1p-53;
    return -exact_log(even);
  }

  SplitMix64 generator_;
  double gap_ns_ = 0;
  bool poisson_ = false;
  std::uint64_t begin_ = 0;
  std::uint64_t next_ = 0;
  double elapsed_ = 0;
};

}  // namespace vmtax::kernel
