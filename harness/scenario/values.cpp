#include "scenario/values.hpp"

#include <charconv>

#include "scenario/source.hpp"

namespace vmtax::scenario {

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

bool is_single_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = decode_utf8(text.substr(at));
    if (length == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
    if (code == 0x2028 || code == 0x2029) return false;
    at += length;
  }
  return true;
}

std::uint64_t whole_of(const Node& node) {
  return parse_whole(node.text).value();
}
Bytes size_of(const Node& node) {
  return parse_bytes(node.text).value();
}
Nanoseconds duration_of(const Node& node) {
  return parse_duration(node.text).value();
}
bool flag_of(const Node& node) {
  return node.text == "true";
}

std::vector<const Node*> items_of(const Node& node) {
  if (node.kind != Node::Kind::list) return {&node};
  std::vector<const Node*> items;
  for (const auto& item : node.items) items.push_back(&item);
  return items;
}

}  // namespace vmtax::scenario
