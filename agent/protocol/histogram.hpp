// A log-linear histogram of latencies in nanoseconds.
//
// Values below 128 ns have a bucket each; every octave above is cut into 128 equal buckets, so a
// bucket is at most 1/128 of its value wide and its middle at most 1/256 (0.4 %) off. Values of
// 2^40 ns (18 min) and more are counted as overflow, never squeezed into the last bucket. Adding is
// a shift and an increment: no allocation, no branch on the size. Mean, min and max are exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace vmtax::protocol {

class Histogram {
 public:
  static constexpr unsigned sub_bucket_bits = 7;
  static constexpr unsigned max_value_bits = 40;
  static constexpr std::size_t bucket_count = (max_value_bits - sub_bucket_bits + 1)
                                              << sub_bucket_bits;

  Histogram() : buckets_(bucket_count) {}

  void add(std::uint64_t value_ns) {
    ++count_;
    sum_ns_ += value_ns;
    min_ns_ = std::min(min_ns_, value_ns);
    max_ns_ = std::max(max_ns_, value_ns);
    if (value_ns >> max_value_bits)
      ++overflow_;
    else
      ++buckets_[index_of(value_ns)];
  }

  void merge(const Histogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  std::uint64_t overflow() const { return overflow_; }
  std::uint64_t min_ns() const { return count_ ? min_ns_ : 0; }
  std::uint64_t max_ns() const { return max_ns_; }
  double mean_ns() const;

  /// The smallest recorded value v such that at least q * count values are <= v (nearest rank),
  /// within 1 %; clamped to [min, max]; max where the rank falls into the overflow; 0 when empty.
  /// `q` in [0, 1].
  double quantile_ns(double q) const;

  /// The non-empty buckets as (index, count), for storage; `restore` is the inverse and returns
  /// false when an index is out of range or the counts don't add up.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sparse() const;
  static bool restore(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& sparse,
                      std::uint64_t overflow, std::uint64_t sum_ns, std::uint64_t min_ns,
                      std::uint64_t max_ns, Histogram& into);
  std::uint64_t sum_ns() const { return sum_ns_; }

  static constexpr std::uint32_t index_of(std::uint64_t value_ns) {
    constexpr std::uint64_t linear = 1ULL << sub_bucket_bits;
    if (value_ns < linear) return static_cast<std::uint32_t>(value_ns);
    const unsigned shift = static_cast<unsigned>(std::bit_width(value_ns)) - sub_bucket_bits - 1;
    return static_cast<std::uint32_t>(((shift + 1ULL) << sub_bucket_bits) +
                                      ((value_ns >> shift) - linear));
  }
  /// Inclusive lower bound of a bucket, and its width.
  static constexpr std::pair<std::uint64_t, std::uint64_t> bounds_of(std::uint32_t index) {
    constexpr std::uint64_t linear = 1ULL << sub_bucket_bits;
    if (index < linear) return {index, 1};
    const std::uint64_t shift = (index >> sub_bucket_bits) - 1;
    return {(linear + (index & (linear - 1))) << shift, 1ULL << shift};
  }

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t overflow_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::uint64_t min_ns_ = ~0ULL;
  std::uint64_t max_ns_ = 0;
};

}  // namespace vmtax::protocol
