// The memory that I/Os read into or write from: one page-aligned region, so that an engine can
// register it once.
//
// Writes must neither compress nor deduplicate. The region is filled with random bytes, and every
// write gets a fresh 8-byte stamp in each 512 bytes, which costs 1/64 of rewriting it. A slot takes
// its blocks in turn from at least 1 MiB of random bytes: with one buffer per slot, neighbours on
// the drive would be equal but for their stamps, and a compressing store would fold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernel/random.hpp"
#include "protocol/units.hpp"

namespace vmtax::kernel {

class Buffers {
 public:
  /// Throws std::bad_alloc when the memory can't be had.
  Buffers(Bytes block_size, std::uint32_t slots, bool for_writing, std::uint64_t seed);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  /// A buffer for the slot's next I/O, different from every one written before.
  std::byte* next(std::uint32_t slot) {
    if (!for_writing_) return base_ + slot * stride_;
    std::uint32_t& turn = turns_[slot];
    std::byte* buffer = base_ + (std::size_t{turn} * turns_.size() + slot) * stride_;
    turn = turn + 1 == variants_ ? 0 : turn + 1;
    stamp(buffer);
    return buffer;
  }

  std::span<std::byte> region() const { return {base_, size_}; }

 private:
  static constexpr std::size_t sector = 512;

  void stamp(std::byte* buffer) {
    std::uint64_t value = stamps_.next();
    for (std::size_t at = 0; at + sizeof value <= block_size_; at += sector) {
      std::memcpy(buffer + at, &value, sizeof value);
      value += 0x9E3779B97F4A7C15U;
    }
  }

  SplitMix64 stamps_;
  std::size_t block_size_;
  std::size_t stride_;
  std::vector<std::uint32_t> turns_;
  std::uint32_t variants_;
  bool for_writing_;
  std::size_t size_;
  std::byte* base_;
};

}  // namespace vmtax::kernel
