#include "report/escape.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace vmtax::report {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = true;
};

// One code point of UTF-8 at the front; overlong forms, surrogates and cut sequences are invalid.
CodePoint front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {0, 1, false};
  char32_t value = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 1, false};
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return {0, 1, false};
  return {value, length, true};
}

bool is_deceptive(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

template <typename Replacement>
std::string replaced(const std::string& text, Replacement replacement) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const std::string_view with = replacement(c);
    if (with.empty()) {
      result += c;
    } else {
      result += with;
    }
  }
  return result;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string_view markdown_escape(char c) {
  switch (c) {
    case '|':
      return "\\|";
    case '*':
      return "\\*";
    case '_':
      return "\\_";
    case '`':
      return "\\`";
    case '[':
      return "\\[";
    case ']':
      return "\\]";
    case '\\':
      return "\\\\";
    case '~':
      return "\\~";
    case '"':
    case '\'':
      return {};
    default:
      return entity(c);
  }
}

std::string_view script_escape(char c) {
  switch (c) {
    case '<':
      return "\\u003c";
    case '>':
      return "\\u003e";
    case '&':
      return "\\u0026";
    default:
      return {};
  }
}

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = front(text);
    if (!c.valid) {
      result += "\xef\xbf\xbd";
    } else if (is_deceptive(c.value)) {
      result += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(c.value));
    } else {
      result += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  return result;
}

std::string html(std::string_view text) {
  return replaced(visible(text), entity);
}

std::string html_lines(std::string_view text) {
  std::string result;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("\n\t", from), text.size());
    result += html(text.substr(from, end - from));
    if (end < text.size()) result += text[end];
    from = end + 1;
  }
  return result;
}

std::string markdown(std::string_view text) {
  return replaced(visible(text), markdown_escape);
}

std::string csv(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string script_json(std::string json) {
  return replaced(json, script_escape);
}

}  // namespace vmtax::report
