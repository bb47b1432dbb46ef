// What each command does. Returns the exit code; errors are thrown.
#pragma once

#include "cli/command_line.hpp"

namespace vmtax::cli {

int execute(const Command& command);

}  // namespace vmtax::cli
