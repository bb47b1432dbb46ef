// Scenarios of a test: what is not under test is filled in.
#pragma once

#include <string>

#include "base/errors.hpp"
#include "scenario/scenario.hpp"

namespace vmtax::test {

/// A scenario with this entry as its only configuration, in line 4.
inline scenario::Scenario with_configuration(const std::string& entry,
                                             const std::string& more = "") {
  return scenario::parse("version: 1\nname: test\nconfigurations:\n  - " + entry +
                             "\nworkloads: [{name: w, pattern: read}]\n"
                             "drives: [{name: d, stand_in: {directory: /var/tmp, size: 1GiB}}]\n" +
                             more,
                         "test.yaml");
}

/// The message of a refusal, or nothing.
template <typename Act>
std::string refusal_of(Act&& act) {
  try {
    act();
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

}  // namespace vmtax::test
