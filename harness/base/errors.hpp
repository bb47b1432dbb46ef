// Errors by who must act. Each layer that passes one on adds one clause of context in front.
#pragma once

#include <stdexcept>
#include <string>

namespace vmtax {

/// The author of the scenario (or of the command line) must act. Exit code 2. `what()` is the whole
/// line: "file:line:column: what is wrong, the value, what is allowed".
struct ScenarioError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The operator of the machine must act: the reason and the fix. Exit code 3.
struct EnvironmentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// This sample is a failure; the run goes on, the store and the report say so.
struct MeasurementError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The user asked to stop (SIGINT, SIGTERM). Exit code 130; the run can be resumed.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace vmtax
