// Units of vmtax: bytes and nanoseconds as types, and the only place where text becomes one of
// them.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vmtax {

using Nanoseconds = std::chrono::nanoseconds;

/// A number of bytes: a size, an offset or an amount. Never a rate.
struct Bytes {
  std::uint64_t value = 0;

  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t bytes) : value(bytes) {}
  constexpr auto operator<=>(const Bytes&) const = default;
};

constexpr Bytes operator+(Bytes a, Bytes b) {
  return Bytes{a.value + b.value};
}
constexpr Bytes operator-(Bytes a, Bytes b) {
  return Bytes{a.value - b.value};
}
constexpr Bytes operator*(Bytes a, std::uint64_t n) {
  return Bytes{a.value * n};
}
constexpr Bytes operator/(Bytes a, std::uint64_t n) {
  return Bytes{a.value / n};
}

constexpr Bytes kib(std::uint64_t n) {
  return Bytes{n << 10};
}
constexpr Bytes mib(std::uint64_t n) {
  return Bytes{n << 20};
}
constexpr Bytes gib(std::uint64_t n) {
  return Bytes{n << 30};
}

/// The largest multiple of `unit` that is not above `size`.
constexpr Bytes round_down(Bytes size, Bytes unit) {
  return Bytes{size.value - size.value % unit.value};
}

/// "4KiB", "1.5GiB", "300MB", "512B": binary units KiB MiB GiB TiB, decimal kB MB GB TB, and B. A
/// bare number has no hidden unit and is refused, as is anything that is no whole number of bytes.
std::optional<Bytes> parse_bytes(std::string_view text);

/// "30s", "500ms", "10us", "5m", "8h": one number with one unit of ns us ms s m h.
std::optional<Nanoseconds> parse_duration(std::string_view text);

/// The shortest exact form that parse_bytes reads back: "4KiB", "1536MiB", "1000B".
std::string format_bytes(Bytes size);

/// The shortest exact form that parse_duration reads back: "30s", "1500ms".
std::string format_duration(Nanoseconds duration);

inline constexpr std::string_view bytes_syntax =
    "a number with B, KiB, MiB, GiB, TiB, kB, MB, GB or TB";
inline constexpr std::string_view duration_syntax = "a number with ns, us, ms, s, m or h";

}  // namespace vmtax
