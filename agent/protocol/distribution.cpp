#include "protocol/distribution.hpp"

#include <charconv>

namespace vmtax::protocol {
namespace {

std::optional<std::uint32_t> whole(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "1.2" as 1200; at most three decimals.
std::optional<std::uint32_t> thousandths_of(std::string_view text) {
  const auto point = text.find('.');
  const auto units = whole(text.substr(0, point));
  if (!units || *units > 1000) return std::nullopt;
  if (point == std::string_view::npos) return *units * 1000;
  std::string decimals{text.substr(point + 1)};
  if (decimals.empty() || decimals.size() > 3) return std::nullopt;
  decimals.resize(3, '0');
  const auto rest = whole(decimals);
  return rest ? std::optional{*units * 1000 + *rest} : std::nullopt;
}

}  // namespace

std::string to_text(const Distribution& distribution) {
  using Kind = Distribution::Kind;
  if (distribution.kind == Kind::uniform) return "uniform";
  if (distribution.kind == Kind::hot)
    return "hot:" + std::to_string(distribution.ios_percent) + "/" +
           std::to_string(distribution.span_percent);
  std::string decimals = std::to_string(1000 + distribution.thousandths % 1000).substr(1);
  while (decimals.size() > 1 && decimals.back() == '0') decimals.pop_back();
  return "zipf:" + std::to_string(distribution.thousandths / 1000) + "." + decimals;
}

std::optional<Distribution> parse_distribution(std::string_view text) {
  using Kind = Distribution::Kind;
  if (text == "uniform") return Distribution{};
  if (text.starts_with("zipf:")) {
    const auto exponent = thousandths_of(text.substr(5));
    if (!exponent) return std::nullopt;
    return Distribution{Kind::zipf, *exponent, 0, 0};
  }
  if (!text.starts_with("hot:")) return std::nullopt;
  text.remove_prefix(4);
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto ios = whole(text.substr(0, slash)), span = whole(text.substr(slash + 1));
  if (!ios || !span) return std::nullopt;
  return Distribution{Kind::hot, 0, *ios, *span};
}

std::optional<std::string> why_invalid(const Distribution& distribution) {
  using Kind = Distribution::Kind;
  const auto percent = [](std::uint32_t value) { return value >= 1 && value <= 99; };
  if (distribution.kind == Kind::zipf &&
      (distribution.thousandths < 100 || distribution.thousandths > 3000))
    return "distribution " + to_text(distribution) + ": the exponent must be from 0.1 to 3";
  if (distribution.kind == Kind::hot &&
      (!percent(distribution.ios_percent) || !percent(distribution.span_percent)))
    return "distribution " + to_text(distribution) + ": percentages must be from 1 to 99";
  return std::nullopt;
}

}  // namespace vmtax::protocol
