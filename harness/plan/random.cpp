#include "plan/random.hpp"

#include <limits>

namespace vmtax::plan {
namespace {

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

void Hash::add_byte(std::uint8_t byte) {
  state_ = (state_ ^ byte) * 0x100000001b3;
}

Hash& Hash::add(std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<std::uint8_t>(number >> shift));
  return *this;
}

Hash& Hash::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
  return *this;
}

std::uint64_t Hash::value() const {
  return mixed(state_);
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15;
  return mixed(state_);
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = all - all % bound;
  while (true) {
    const std::uint64_t number = next();
    if (number < limit) return number % bound;
  }
}

}  // namespace vmtax::plan
