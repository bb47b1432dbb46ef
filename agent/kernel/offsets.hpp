// Where each I/O goes: a choice of blocks, placed by a map. Equal seeds give equal offsets on every
// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "kernel/block_map.hpp"
#include "kernel/permutation.hpp"
#include "kernel/random.hpp"
#include "kernel/zipf.hpp"

namespace vmtax::kernel {

/// The blocks of a map that one measuring thread touches.
struct BlockRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// How the next block is found.
enum class Choice {
  in_order,  ///< one after the other, beginning again at the start
  uniform,
  each_once,  ///< in random order, every block once per pass, another order in each pass
  zipf,       ///< the frequent blocks scattered over the range
  hot,        ///< a part of the range's beginning gets a larger part of the I/Os
};

class Offsets {
 public:
  /// `range` holds at least one block. `distribution` has the figures of zipf and hot.
  Offsets(BlockMap map, BlockRange range, Choice choice, const protocol::Distribution& distribution,
          std::uint64_t seed)
      : generator_(seed),
        map_(std::move(map)),
        range_(range),
        choice_(choice),
        order_(range.count, seed),
        hot_count_(std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(static_cast<double>(range.count) / 100 *
                                          distribution.span_percent))),
        hot_share_(distribution.ios_percent) {
    if (choice == Choice::zipf) zipf_.emplace(range.count, distribution.thousandths / 1000.0);
  }

  /// In order or uniformly over one span; what is left behind its last whole block is never
  /// touched.
  Offsets(bool random, Bytes start, Bytes span, Bytes block_size, std::uint64_t seed)
      : Offsets(BlockMap{start, span, block_size}, {0, span.value / block_size.value},
                random ? Choice::uniform : Choice::in_order, {}, seed) {}

  std::uint64_t next() { return map_.offset_of(range_.first + choose()); }

 private:
  std::uint64_t choose() {
    switch (choice_) {
      case Choice::in_order:
        return step();
      case Choice::each_once:
        if (next_block_ == 0) order_.rekey(generator_.next());
        return order_(step());
      case Choice::zipf:
        return order_((*zipf_)(generator_));
      case Choice::hot:
        return choose_hot();
      case Choice::uniform:
        break;
    }
    return below(generator_.next(), range_.count);
  }

  std::uint64_t step() {
    const std::uint64_t block = next_block_;
    next_block_ = block + 1 == range_.count ? 0 : block + 1;
    return block;
  }

  std::uint64_t choose_hot() {
    const std::uint64_t cold = range_.count - hot_count_;
    if (cold == 0 || below(generator_.next(), 100) < hot_share_)
      return below(generator_.next(), hot_count_);
    return hot_count_ + below(generator_.next(), cold);
  }

  Xoshiro256 generator_;
  BlockMap map_;
  BlockRange range_;
  Choice choice_;
  Permutation order_;
  std::optional<Zipf> zipf_;
  std::uint64_t hot_count_;
  std::uint64_t hot_share_;
  std::uint64_t next_block_ = 0;
};

}  // namespace vmtax::kernel
