// `vmtax-agent io`: one job from the command line.
#pragma once

#include <string>

#include "protocol/io_job.hpp"

namespace vmtax::agent {

/// The job as texts, as they were written on the command line.
struct IoArguments {
  std::string target, serial;
  std::string pattern = "randread";
  std::string engine = "io_uring";
  std::string block_size = "4KiB";
  std::uint32_t iodepth = 1;
  std::string runtime, ramp, amount, offset, span;
  std::uint64_t seed = 1;
  bool buffered = false;
  bool json = false;
};

/// Runs the job and prints its result; the exit code: 0, 1 when an I/O failed, 2 for a wrong
/// argument, 3 when the target or the engine can't be used.
int io_command(const IoArguments& arguments);

}  // namespace vmtax::agent
