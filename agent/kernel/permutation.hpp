// A pseudo-random permutation of 0 … n-1 that needs no memory: a Feistel network over the next even
// number of bits, walked again while the result lies outside (Black, Rogaway 2002). It gives each
// block once per pass without fio's bitmap, and scatters the ranks of a skewed distribution.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "kernel/random.hpp"

namespace vmtax::kernel {

class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t key) : count_(count) {
    const auto bits = static_cast<unsigned>(std::bit_width(count > 1 ? count - 1 : 1));
    half_ = (bits + 1) / 2;
    mask_ = (std::uint64_t{1} << half_) - 1;
    rekey(key);
  }

  void rekey(std::uint64_t key) {
    SplitMix64 spread{key};
    for (auto& round : rounds_) round = spread.next();
  }

  std::uint64_t operator()(std::uint64_t index) const {
    do index = shuffle(index);
    while (index >= count_);
    return index;
  }

 private:
  std::uint64_t shuffle(std::uint64_t value) const {
    std::uint64_t left = value >> half_, right = value & mask_;
    for (const auto round : rounds_) {
      const std::uint64_t mixed = ((right ^ round) * 0x9E3779B97F4A7C15U) >> 32;
      left = std::exchange(right, (left ^ mixed ^ (mixed >> half_)) & mask_);
    }
    return left << half_ | right;
  }

  std::uint64_t count_;
  unsigned half_ = 1;
  std::uint64_t mask_ = 1;
  std::array<std::uint64_t, 4> rounds_{};
};

}  // namespace vmtax::kernel
