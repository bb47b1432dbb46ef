// Where each I/O goes: blocks of a span, either one after the other (beginning again at the span's
// start) or drawn uniformly. Equal seeds give equal offsets on every machine.
#pragma once

#include <cstdint>

#include "kernel/random.hpp"
#include "protocol/units.hpp"

namespace vmtax::kernel {

class Offsets {
 public:
  /// `span` holds at least one block; what is left behind its last whole block is never touched.
  Offsets(bool random, Bytes start, Bytes span, Bytes block_size, std::uint64_t seed)
      : generator_(seed),
        start_(start.value),
        block_size_(block_size.value),
        blocks_(span.value / block_size.value),
        random_(random) {}

  std::uint64_t next() {
    if (random_) return start_ + block_size_ * uniform();
    const std::uint64_t block = next_block_;
    next_block_ = block + 1 == blocks_ ? 0 : block + 1;
    return start_ + block_size_ * block;
  }

 private:
  // Multiply and shift: no division, and its bias of blocks / 2^64 is below any measurement.
  std::uint64_t uniform() {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{generator_.next()} * blocks_) >> 64);
  }

  Xoshiro256 generator_;
  std::uint64_t start_;
  std::uint64_t block_size_;
  std::uint64_t blocks_;
  std::uint64_t next_block_ = 0;
  bool random_;
};

}  // namespace vmtax::kernel
