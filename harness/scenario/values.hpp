// Scalars of a tree whose shape has been checked, as the types of a Scenario.
#pragma once

#include <optional>
#include <vector>

#include "scenario/words.hpp"
#include "scenario/yaml_tree.hpp"

namespace vmtax::scenario {

/// Decimal digits alone, without leading zeros; nothing for anything else or beyond 64 bits.
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// Whether text has neither control characters nor line or paragraph separators.
bool is_single_line(std::string_view text);

std::uint64_t whole_of(const Node& node);
Bytes size_of(const Node& node);
Nanoseconds duration_of(const Node& node);
bool flag_of(const Node& node);

/// The items of a list, or the node itself where one stands for a list of one.
std::vector<const Node*> items_of(const Node& node);

template <typename E, std::size_t N>
E word_value(const Node& node, const Words<E, N>& words) {
  return value_of(words, node.text);
}

}  // namespace vmtax::scenario
