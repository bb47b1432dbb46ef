// The three standard streams: there from the start, and results written to the second.
#pragma once

#include <string_view>

namespace vmtax {

/// Puts /dev/null in place of each standard stream that the caller closed. First thing in main: the
/// next file that is opened would otherwise get its number, and with it all that is logged.
void hold_standard_streams();

/// Writes a result to standard output. A reader that has gone (`| head`) has what it wanted; any
/// other failure is an EnvironmentError. Throws Interrupted when a stop is asked while it waits.
void print(std::string_view text);

}  // namespace vmtax
