#include "protocol/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace vmtax {
namespace {

using Scale = std::pair<std::string_view, std::uint64_t>;

constexpr std::array<Scale, 9> byte_scales{{{"TiB", 1ULL << 40},
                                            {"GiB", 1ULL << 30},
                                            {"MiB", 1ULL << 20},
                                            {"KiB", 1ULL << 10},
                                            {"TB", 1'000'000'000'000},
                                            {"GB", 1'000'000'000},
                                            {"MB", 1'000'000},
                                            {"kB", 1'000},
                                            {"B", 1}}};

constexpr std::array<Scale, 6> duration_scales{{{"h", 3'600'000'000'000},
                                                {"m", 60'000'000'000},
                                                {"s", 1'000'000'000},
                                                {"ms", 1'000'000},
                                                {"us", 1'000},
                                                {"ns", 1}}};

// A decimal number directly followed by one unit of `scales`, as a whole count of the smallest.
template <std::size_t N>
std::optional<std::uint64_t> parse_scaled(std::string_view text, const std::array<Scale, N>& scales,
                                          std::uint64_t limit) {
  const auto unit_start = text.find_first_not_of("0123456789.");
  if (unit_start == 0 || unit_start == std::string_view::npos) return std::nullopt;
  const auto unit = text.substr(unit_start);
  for (const auto& [name, factor] : scales) {
    if (unit != name) continue;
    long double number = 0;
    const char* end = text.data() + unit_start;
    const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc{} || stop != end) return std::nullopt;
    const long double count = number * static_cast<long double>(factor);
    if (count > static_cast<long double>(limit) || count != std::floor(count)) return std::nullopt;
    return static_cast<std::uint64_t>(count);
  }
  return std::nullopt;
}

template <std::size_t N>
std::string format_scaled(std::uint64_t count, const std::array<Scale, N>& scales) {
  if (count != 0)
    for (const auto& [name, factor] : scales)
      if (count % factor == 0) return std::to_string(count / factor) + std::string{name};
  return "0" + std::string{scales.back().first};
}

}  // namespace

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto count = parse_scaled(text, byte_scales, 1ULL << 62);
  return count ? std::optional{Bytes{*count}} : std::nullopt;
}

std::optional<Nanoseconds> parse_duration(std::string_view text) {
  const auto count =
      parse_scaled(text, duration_scales, std::numeric_limits<std::int64_t>::max() / 4);
  return count ? std::optional{Nanoseconds{static_cast<std::int64_t>(*count)}} : std::nullopt;
}

std::string format_bytes(Bytes size) {
  return format_scaled(size.value, byte_scales);
}

std::string format_duration(Nanoseconds duration) {
  return format_scaled(static_cast<std::uint64_t>(duration.count()), duration_scales);
}

}  // namespace vmtax
