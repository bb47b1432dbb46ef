// The measuring threads of a job: they begin together, and the failure of one ends all.
#pragma once

#include "kernel/loop_control.hpp"
#include "kernel/loop_record.hpp"
#include "kernel/open_target.hpp"

namespace vmtax::kernel {

/// What wakes a measuring thread out of a blocked wait; its handler does nothing.
inline constexpr int wake_signal = 10;  // SIGUSR1

/// Gives the signal its handler, once per process.
void install_wake_signal();

/// Runs job.jobs workers, the first in the calling thread, and adds up what they found. Throws the
/// failure that came first.
LoopRecord run_crew(const protocol::IoJob& job, const OpenTarget& target, LoopControl& control);

}  // namespace vmtax::kernel
