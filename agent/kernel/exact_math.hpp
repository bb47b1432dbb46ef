// Logarithm and exponential from additions, multiplications and divisions alone, which IEEE 754
// defines to the last bit: a library's differ between machines, and so would offsets drawn by them.
// Good to 1e-12 in the ranges used here.
#pragma once

#include <bit>
#include <cstdint>

namespace vmtax::kernel {

/// Of a positive normal number.
constexpr double exact_log(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  const auto word = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<int>(word >> 52) - 1023;
  const double mantissa =
      std::bit_cast<double>((word & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1023} << 52));
  const double t = (mantissa - 1) / (mantissa + 1);  // ln m = 2 atanh t, t in [0, 1/3)
  const double square = t * t;
  double power = t, sum = 0;
  for (int k = 1; k < 40; k += 2) {
    sum += power / k;
    power *= square;
  }
  return 2 * sum + exponent * ln2;
}

/// Of a number between -700 and 700.
constexpr double exact_exp(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  const auto octaves = static_cast<std::int64_t>(x / ln2);
  const double rest = x - static_cast<double>(octaves) * ln2;
  double term = 1, sum = 1;
  for (int k = 1; k < 24; ++k) {
    term = term * rest / k;
    sum += term;
  }
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(octaves + 1023) << 52);
  return sum * scale;
}

}  // namespace vmtax::kernel
