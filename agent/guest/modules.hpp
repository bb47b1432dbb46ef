// Kernel modules of the micro guest, loaded in the order in which the initramfs lists them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vmtax::guest {

/// Loads every module that `folder`/order names, one file name a line. A module that the kernel
/// already has is passed over. Returns what failed ("NAME: reason"): a driver of a bus that this
/// guest doesn't have may be missed by nobody.
std::vector<std::string> load_modules(const std::filesystem::path& folder);

}  // namespace vmtax::guest
