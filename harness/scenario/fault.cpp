#include "scenario/fault.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "scenario/source.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::size_t shown_characters = 60;

// Direction marks and separators would reorder or break the line on a terminal.
bool is_printable(char32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
  if (c >= 0x200b && c <= 0x200f) return false;
  if (c >= 0x2028 && c <= 0x202e) return false;
  if (c >= 0x2060 && c <= 0x206f) return false;
  return c != 0xfeff;
}

// Levenshtein's distance by one row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string folded(std::string_view word) {
  std::string text;
  for (const char c : word)
    text += c == '-' ? '_' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return text;
}

}  // namespace

void fail(const Mark& mark, std::string_view what, std::string_view allowed) {
  Mark shown = mark;
  shown.file = printable_path(mark.file);
  throw ScenarioError(fmt::format("{}{}; allowed: {}", shown.prefix(), what, allowed));
}

std::string printable(std::string_view value) {
  std::string text;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < value.size(); ++characters) {
    if (characters == shown_characters) return text + "…";
    const auto [code, length] = decode_utf8(value.substr(at));
    if (length == 0) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(value[at++]));
      continue;
    }
    if (is_printable(code))
      text += value.substr(at, length);
    else
      text += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(code));
    at += length;
  }
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known) {
  if (word.empty() || word.size() > 40) return "";
  const auto wanted = folded(word);
  for (const auto candidate : known)
    if (wanted.size() >= 3 && candidate.starts_with(wanted))
      return fmt::format(" (did you mean '{}'?)", candidate);
  const auto nearest = std::min_element(known.begin(), known.end(), [&](auto a, auto b) {
    return edit_distance(wanted, a) < edit_distance(wanted, b);
  });
  if (nearest == known.end()) return "";
  const std::size_t tolerated = std::max<std::size_t>(1, wanted.size() / 3);
  if (edit_distance(wanted, *nearest) > tolerated) return "";
  return fmt::format(" (did you mean '{}'?)", *nearest);
}

std::string listed(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace vmtax::scenario
