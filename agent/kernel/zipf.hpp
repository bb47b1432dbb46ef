// Ranks 1 … n with probability proportional to 1 / rank^exponent.
//
// The first 1024 ranks have an entry each in an alias table (Walker 1974; Vose 1991), those above
// share entries of 1/32 octave, in which a rank is drawn evenly: within 1.1 % of its own
// probability. One draw is two random numbers and one look-up, whatever n is.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/random.hpp"

namespace vmtax::kernel {

class Zipf {
 public:
  Zipf(std::uint64_t ranks, double exponent);

  /// A rank less one: 0 is the most frequent.
  std::uint64_t operator()(Xoshiro256& generator) const {
    const std::uint64_t word = generator.next();
    const Entry* entry = &entries_[below(word, entries_.size())];
    if (static_cast<std::uint32_t>(word) >= entry->threshold) entry = &entries_[entry->alias];
    if (entry->width == 1) return entry->first;
    return entry->first + below(generator.next(), entry->width);
  }

 private:
  struct Entry {
    std::uint64_t first;
    std::uint64_t width;
    std::uint32_t threshold = 0;  // of 2^32: below it the entry itself, else its alias
    std::uint32_t alias = 0;
  };

  void fill_table(std::vector<double> weights);

  std::vector<Entry> entries_;
};

}  // namespace vmtax::kernel
