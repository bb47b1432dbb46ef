// How random offsets spread over the blocks of a span.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vmtax::protocol {

/// As text: "uniform"; "zipf:1.2", the exponent with up to three decimals; "hot:90/10", 90 % of the
/// I/Os go to the first 10 % of the span.
struct Distribution {
  enum class Kind { uniform, zipf, hot };
  Kind kind = Kind::uniform;
  std::uint32_t thousandths = 0;   ///< of zipf's exponent
  std::uint32_t ios_percent = 0;   ///< of hot
  std::uint32_t span_percent = 0;  ///< of hot
};

inline constexpr std::string_view distribution_syntax = "uniform, zipf:EXPONENT or hot:IOS/SPAN";

std::string to_text(const Distribution& distribution);
std::optional<Distribution> parse_distribution(std::string_view text);
std::optional<std::string> why_invalid(const Distribution& distribution);

}  // namespace vmtax::protocol
