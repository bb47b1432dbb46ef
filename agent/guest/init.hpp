// PID 1 of the micro guest, whose only program is the agent.
#pragma once

namespace vmtax::guest {

/// Mounts, loads modules, serves on the guest's port and powers off: when told to, when the harness
/// is gone for good, and after any error, which is written to the console.
[[noreturn]] void run_as_init();

}  // namespace vmtax::guest
