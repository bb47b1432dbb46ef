// Loop devices with direct I/O, marked as ours.
//
// The mark is the device's lo_file_name, which the kernel keeps and never looks at: "vmtax ID".
// With it and the path of the backing file a device is found again after this process was killed at
// any moment, without its number having been written down, and no other loop device is ever
// touched. No autoclear: the kernel would then take the device away at the last close, in the
// middle of a run.
#pragma once

#include <filesystem>
#include <string>

#include "protocol/units.hpp"

namespace vmtax::drive {

/// Attaches `backing` and returns the kernel name ("loop3"). Partition scanning is on. Direct I/O
/// is read back to be on. EnvironmentError: no loop driver, no free device, direct I/O refused.
std::string attach_loop(const std::filesystem::path& backing, const std::string& id,
                        Bytes sector = Bytes{512});

/// Detaches the device over `backing` that carries the mark of `id`, and sees it gone. Returns at
/// once when there is none. EnvironmentError naming the holders when it stays in use.
void detach_loop(const std::filesystem::path& backing, const std::string& id);

/// Whether this loop device is attached and carries a mark of vmtax.
bool is_stand_in(const std::string& kernel_name);

}  // namespace vmtax::drive
