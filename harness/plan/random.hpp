// Random choices that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace vmtax::plan {

/// FNV-1a (64 bits) over length-prefixed fields, finished by splitmix64's mixer.
class Hash {
 public:
  Hash& add(std::uint64_t number);
  Hash& add(std::string_view text);
  std::uint64_t value() const;

 private:
  void add_byte(std::uint8_t byte);
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in [0, bound), by rejection; bound is not 0.
  std::uint64_t below(std::uint64_t bound);

  /// Fisher-Yates from the end.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace vmtax::plan
