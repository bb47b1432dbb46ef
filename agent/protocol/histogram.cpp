#include "protocol/histogram.hpp"

#include <cmath>

namespace vmtax::protocol {

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < bucket_count; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  overflow_ += other.overflow_;
  sum_ns_ += other.sum_ns_;
  min_ns_ = std::min(min_ns_, other.min_ns_);
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

void Histogram::clear() {
  std::fill(buckets_.begin(), buckets_.end(), 0);
  count_ = overflow_ = sum_ns_ = max_ns_ = 0;
  min_ns_ = ~0ULL;
}

double Histogram::mean_ns() const {
  return count_ ? static_cast<double>(sum_ns_) / static_cast<double>(count_) : 0.0;
}

double Histogram::quantile_ns(double q) const {
  if (count_ == 0) return 0.0;
  // The shrink keeps a product such as 0.07 * 100 = 7.000000000000001 at rank 7.
  const double exact_rank = q * static_cast<double>(count_) * (1.0 - 1e-12);
  const auto rank = std::clamp<std::uint64_t>(
      exact_rank <= 0 ? 1 : static_cast<std::uint64_t>(std::ceil(exact_rank)), 1, count_);
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < bucket_count; ++i) {
    seen += buckets_[i];
    if (seen < rank) continue;
    const auto [low, width] = bounds_of(i);
    const double middle = static_cast<double>(low) + static_cast<double>(width - 1) / 2;
    return std::clamp(middle, static_cast<double>(min_ns_), static_cast<double>(max_ns_));
  }
  return static_cast<double>(max_ns_);
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> Histogram::sparse() const {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> filled;
  for (std::uint32_t i = 0; i < bucket_count; ++i)
    if (buckets_[i]) filled.emplace_back(i, buckets_[i]);
  return filled;
}

namespace {

__extension__ using Wide = unsigned __int128;

// Whether `sum` can be that of `count` values between `low` and `high`.
bool plausible_sum(std::uint64_t sum, std::uint64_t count, std::uint64_t low, std::uint64_t high) {
  return Wide{sum} >= Wide{count} * low && Wide{sum} <= Wide{count} * high;
}

}  // namespace

bool Histogram::restore(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& sparse,
                        std::uint64_t overflow, std::uint64_t sum_ns, std::uint64_t min_ns,
                        std::uint64_t max_ns, Histogram& into) {
  Histogram restored;
  restored.overflow_ = overflow;
  Wide total = overflow;
  for (const auto& [index, count] : sparse) {
    if (index >= bucket_count || count == 0 || restored.buckets_[index] != 0) return false;
    restored.buckets_[index] = count;
    total += count;
  }
  if (total > ~0ULL) return false;
  restored.count_ = static_cast<std::uint64_t>(total);
  if (restored.count_ == 0) {
    if (sum_ns != 0 || min_ns != 0 || max_ns != 0) return false;
    into = std::move(restored);
    return true;
  }
  const auto recorded = [&](std::uint64_t value) {
    return value >> max_value_bits ? overflow != 0 : restored.buckets_[index_of(value)] != 0;
  };
  if (min_ns > max_ns || !recorded(min_ns) || !recorded(max_ns) ||
      !plausible_sum(sum_ns, restored.count_, min_ns, max_ns))
    return false;
  restored.sum_ns_ = sum_ns;
  restored.min_ns_ = min_ns;
  restored.max_ns_ = max_ns;
  into = std::move(restored);
  return true;
}

}  // namespace vmtax::protocol
