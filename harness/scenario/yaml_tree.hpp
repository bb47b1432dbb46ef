// YAML as a tree of our own: text, marks and quotes, and no meaning yet. Of YAML, a scenario needs
// maps with plain or quoted keys, lists and scalars; anchors, aliases, tags, merge keys and a
// second document are refused, so that every value stands where it is used.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/scenario.hpp"

namespace vmtax::scenario {

struct Entry;

struct Node {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  Mark mark;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes or a block scalar is text, whatever it looks like
  std::vector<Node> items;
  std::vector<Entry> entries;  ///< in the order of the file, no key twice

  const Node* find(std::string_view key) const;
  const Mark& key_mark(std::string_view key) const;  ///< of an existing key
};

struct Entry {
  std::string key;
  Mark mark;  ///< of the key
  Node value;
};

/// Throws ScenarioError for text that is no YAML, and for the YAML that is refused (see above).
Node parse_yaml(std::string_view text, const std::string& file);

}  // namespace vmtax::scenario
