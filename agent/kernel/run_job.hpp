// One job from its target's opening to its result, in the calling thread.
#pragma once

#include <string>

#include "kernel/loop_control.hpp"
#include "protocol/io_job.hpp"
#include "protocol/io_result.hpp"

namespace vmtax::kernel {

/// `path` is what job.target resolved to. Throws Refused before the first I/O, Broken after it.
protocol::IoResult run_job(const protocol::IoJob& job, const std::string& path,
                           LoopControl& control);

}  // namespace vmtax::kernel
