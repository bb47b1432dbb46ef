// The messages of scenario faults: always one line, "file:line:column: what is wrong; allowed: what
// is".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"

namespace vmtax::scenario {

/// Throws ScenarioError. Both texts are single clauses without a full stop.
[[noreturn]] void fail(const Mark& mark, std::string_view what, std::string_view allowed);

/// A value as a message may carry it: shortened, control and direction characters escaped.
std::string printable(std::string_view value);

/// " (did you mean 'cache'?)" for the nearest of `known`, or nothing where none is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& known);

/// "a, b, c"
std::string listed(const std::vector<std::string_view>& words);

}  // namespace vmtax::scenario
