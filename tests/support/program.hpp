// The built programs, run as a user runs them.
#pragma once

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace vmtax::test {

inline std::string program(const std::string& name) {
  return std::string{VMTAX_BINARY_DIR} + "/bin/" + name;
}

inline ProcessOutput vmtax(std::vector<std::string> arguments,
                           std::chrono::seconds limit = std::chrono::seconds{60}) {
  arguments.insert(arguments.begin(), program("vmtax"));
  return run_process(arguments, limit);
}

}  // namespace vmtax::test
