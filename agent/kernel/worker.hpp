// One measuring thread's share of a job: its slice of the span, its seeds, its ring.
#pragma once

#include <functional>

#include "kernel/loop_control.hpp"
#include "kernel/loop_record.hpp"
#include "kernel/offsets.hpp"
#include "kernel/open_target.hpp"

namespace vmtax::kernel {

/// The offsets of one of the job's threads, from their beginning.
Offsets offsets_of(const protocol::IoJob& job, const OpenTarget& target, std::uint32_t index);

/// Sets the thread up, calls `ready` and measures, in the calling thread. Throws Refused before the
/// first I/O, Broken after it.
LoopRecord run_worker(const protocol::IoJob& job, const OpenTarget& target, std::uint32_t index,
                      LoopControl& control, const std::function<void()>& ready);

}  // namespace vmtax::kernel
