// Where the blocks of a job lie in its target: one span, or a list of extents seen as one linear
// space. Of each extent only whole blocks count: an I/O never crosses from one into the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "protocol/io_job.hpp"

namespace vmtax::kernel {

class BlockMap {
 public:
  BlockMap(Bytes start, Bytes span, Bytes block_size)
      : block_size_(block_size.value), count_(span.value / block_size.value) {
    pieces_.push_back({0, start.value});
  }

  BlockMap(std::span<const protocol::Extent> extents, Bytes block_size)
      : block_size_(block_size.value) {
    for (const auto& extent : extents) {
      const std::uint64_t blocks = extent.length.value / block_size_;
      if (blocks == 0) continue;
      pieces_.push_back({count_, extent.offset.value});
      count_ += blocks;
    }
  }

  std::uint64_t count() const { return count_; }

  std::uint64_t offset_of(std::uint64_t block) const {
    if (pieces_.size() == 1) return pieces_[0].offset + block * block_size_;
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), block,
                                       [](auto b, const Piece& p) { return b < p.first_block; });
    const Piece& piece = *std::prev(next);
    return piece.offset + (block - piece.first_block) * block_size_;
  }

 private:
  struct Piece {
    std::uint64_t first_block;
    std::uint64_t offset;
  };

  std::uint64_t block_size_;
  std::uint64_t count_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace vmtax::kernel
