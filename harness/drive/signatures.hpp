// What libblkid recognises on a device: file systems, RAID and LVM members, partition tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vmtax::drive {

/// All that is found on the device itself (its partitions are devices of their own), each as
/// "ext4 (label data)" or "gpt partition table". EnvironmentError when the device can't be read.
std::vector<std::string> signatures_on(const std::filesystem::path& device);

}  // namespace vmtax::drive
