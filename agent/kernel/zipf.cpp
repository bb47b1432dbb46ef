#include "kernel/zipf.hpp"

#include <algorithm>

#include "kernel/exact_math.hpp"

namespace vmtax::kernel {
namespace {

constexpr std::uint64_t own_entries = 1024;

double weight_of(double rank, double exponent) {
  return exact_exp(-exponent * exact_log(rank));
}

}  // namespace

Zipf::Zipf(std::uint64_t ranks, double exponent) {
  std::vector<double> weights;
  for (std::uint64_t rank = 1; rank <= ranks;) {
    const std::uint64_t wide = rank <= own_entries ? 1 : std::max<std::uint64_t>(1, rank / 46);
    const std::uint64_t width = std::min(wide, ranks - rank + 1);
    const double middle = static_cast<double>(rank) + static_cast<double>(width - 1) / 2;
    weights.push_back(weight_of(middle, exponent) * static_cast<double>(width));
    entries_.push_back({rank - 1, width});
    rank += width;
  }
  fill_table(std::move(weights));
}

void Zipf::fill_table(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    weights[i] *= static_cast<double>(weights.size()) / sum;
    (weights[i] < 1 ? small : large).push_back(i);
  }
  constexpr double whole = 4294967296.0;
  while (!small.empty() && !large.empty()) {
    const auto poor = small.back(), rich = large.back();
    small.pop_back();
    entries_[poor].threshold = static_cast<std::uint32_t>(weights[poor] * whole);
    entries_[poor].alias = rich;
    weights[rich] -= 1 - weights[poor];
    if (weights[rich] >= 1) continue;
    large.pop_back();
    small.push_back(rich);
  }
  // What is left has a weight of 1 but for rounding: its alias is itself.
  for (const auto& rest : {small, large})
    for (const auto entry : rest) entries_[entry].alias = entry;
}

}  // namespace vmtax::kernel
