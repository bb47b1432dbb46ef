// Other programs, run to their end with a deadline (a child that is kept: base/child_process.hpp).
//
// Every program runs in a process group of its own (so that Ctrl-C reaches vmtax alone, which then
// ends them in order), with LC_ALL=C, and with no descriptor of ours but the three standard ones.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace vmtax {

struct ProcessOutput {
  int exit_code = -1;  ///< -1 when it was ended by a signal
  int signal = 0;      ///< 0 when it exited
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0; }
};

/// Runs `argv` to its end with `input` as its standard input; the whole group is killed at the
/// deadline. Returns when the program itself has ended, even where a daemon that it left still
/// holds its output. argv[0] is searched in PATH and in /usr/sbin and /sbin. Throws
/// EnvironmentError when the program is not found (naming it) or the deadline is missed,
/// Interrupted when a stop is asked.
ProcessOutput run_process(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                          std::string_view input = {});

/// The same, but anything but exit code 0 is an EnvironmentError with the command and the last
/// lines of what it said. Returns its standard output.
std::string run_checked(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                        std::string_view input = {});

/// The path of a program, searched as run_process does; empty when there is none.
std::string find_program(const std::string& name);

}  // namespace vmtax
