#include "analysis/numbers.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace vmtax::analysis {
namespace {

// A value that rounds to zero has no sign.
double rounded(double value, double unit) {
  const double result = std::round(value / unit) * unit;
  return result == 0 ? 0 : result;
}

std::string one_digit(double fraction) {
  return fmt::format("{:.1f}", rounded(fraction * 100, 0.1));
}

std::string with_separators(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string three_digits(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

}  // namespace

std::string percent(double fraction) {
  return one_digit(fraction) + " %";
}

std::string percent_interval(const Estimate& e) {
  if (!e.interval) return "";
  return "[" + one_digit(e.interval->low) + ", " + one_digit(e.interval->high) + "]";
}

std::string percent(const Estimate& estimate) {
  const std::string interval = percent_interval(estimate);
  return percent(estimate.value) + (interval.empty() ? "" : " " + interval);
}

std::string factor(double ratio) {
  return fmt::format("{:.2f}x", ratio);
}

std::string factor(const Estimate& estimate) {
  std::string text = factor(estimate.value);
  if (estimate.interval)
    text += fmt::format(" [{:.2f}, {:.2f}]", estimate.interval->low, estimate.interval->high);
  return text;
}

std::string io_rate(double iops) {
  return (iops < 99.95 ? fmt::format("{:.1f}", iops) : with_separators(std::llround(iops))) +
         " IOPS";
}

std::string byte_rate(double bytes_per_second) {
  const double megabytes = bytes_per_second / 1e6;
  return megabytes < 999.95 ? fmt::format("{:.1f} MB/s", megabytes)
                            : with_separators(std::llround(megabytes)) + " MB/s";
}

std::string latency(double nanoseconds) {
  if (nanoseconds < 999.5) return three_digits(nanoseconds) + " ns";
  if (nanoseconds < 999.5e3) return three_digits(nanoseconds / 1e3) + " µs";
  if (nanoseconds < 999.5e6) return three_digits(nanoseconds / 1e6) + " ms";
  return three_digits(nanoseconds / 1e9) + " s";
}

std::string wall_time(Nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string size(Bytes bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes.value < 1024) return fmt::format("{} B", bytes.value);
  double value = static_cast<double>(bytes.value);
  std::string unit;
  for (const char* next : units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return three_digits(value) + " " + unit;
}

}  // namespace vmtax::analysis
