// `vmtax-agent io`: one job from the command line.
#pragma once

#include <string>
#include <vector>

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
  std::uint32_t jobs = 1;
  std::uint32_t read_percent = 50;
  std::string distribution = "uniform";
  bool random_map = false;
  std::vector<std::string> extents;  ///< OFFSET:LENGTH
  std::uint32_t fsync = 0, fdatasync = 0;
  bool dsync = false;
  bool final_flush = false;
  std::uint32_t rate = 0;
  bool poisson = false;
  bool submit_singly = false;
  std::uint32_t compress = 0, dedupe = 0;
  bool verify = false;
  std::uint64_t generation = 1;
  bool sqpoll = false, iopoll = false;
  bool json = false;
};

/// Runs the job and prints its result; the exit code: 0, 1 when an I/O failed, 2 for a wrong
/// argument, 3 when the target or the engine can't be used.
int io_command(const IoArguments& arguments);

}  // namespace vmtax::agent
