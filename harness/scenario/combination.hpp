// One choice of a value for each key of a section, and the rules between them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "scenario/shape.hpp"
#include "scenario/yaml_tree.hpp"

namespace vmtax::scenario {

struct Combination {
  const Section* section;
  Mark mark;  ///< of the section, for what is missing
  std::map<std::string_view, const Node*> values;

  const Node* find(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : found->second;
  }
};

/// Holds the section's rules. `among` is the clause that names the combination where there are
/// several.
void check_rules(const Combination& combination, std::string_view among);

}  // namespace vmtax::scenario
