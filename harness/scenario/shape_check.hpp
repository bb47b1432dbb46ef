// Holds a tree against a shape.
#pragma once

#include "scenario/shape.hpp"
#include "scenario/yaml_tree.hpp"

namespace vmtax::scenario {

/// Throws ScenarioError for the first fault in the order of the file. What it leaves to others are
/// rules between keys. After it, the readers of values.hpp can't fail.
void check_shape(const Node& node, const Shape& shape);

/// What plain (unquoted) text is by YAML 1.2's core schema.
enum class Plain { null, flag, number, text };
Plain classify(std::string_view plain);

/// The value as a message shows it: `4`, `"4"`, `a list`, `a map`, `nothing`.
std::string shown(const Node& node);

}  // namespace vmtax::scenario
