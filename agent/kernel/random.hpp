// Fast seeded generators that give the same numbers on every machine: splitmix64 (Steele, Lea,
// Flood 2014) to spread seeds and to fill memory, xoshiro256** (Blackman, Vigna 2018) for offsets.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace vmtax::kernel {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

class Xoshiro256 {
 public:
  explicit Xoshiro256(std::uint64_t seed) {
    SplitMix64 spread{seed};
    for (auto& word : state_) word = spread.next();
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// A random word as a number below `limit`. Multiply and shift: no division, and its bias of
/// limit / 2^64 is below any measurement.
inline std::uint64_t below(std::uint64_t word, std::uint64_t limit) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{word} * limit) >> 64);
}

}  // namespace vmtax::kernel
