// Names of block devices: path, kernel name, whole disk and its partitions, as sysfs has them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "drive/roots.hpp"

namespace vmtax::drive {

/// "8:1", the form of mountinfo and of sysfs `dev` files.
std::string number_text(dev_t number);

/// The device number of the block device at `path` (links are followed); nothing when it is absent
/// or something else.
std::optional<dev_t> block_number(const std::filesystem::path& path);

/// The kernel name ("nvme0n1p2") of a device number in the form "259:2".
std::optional<std::string> name_of_number(const std::string& number, const Roots& roots = {});

/// The kernel name of the block device at `path`. EnvironmentError when the path is absent or no
/// block device.
std::string kernel_name(const std::filesystem::path& path, const Roots& roots = {});

/// /dev/NAME; a '!' of the kernel's name is a '/' there.
std::filesystem::path node_of(const std::string& name);

/// /sys/class/block/NAME.
std::filesystem::path sysfs_of(const std::string& name, const Roots& roots = {});

/// The whole disk that a partition belongs to; a whole disk's own name.
std::string whole_disk(const std::string& name, const Roots& roots = {});

/// The kernel names of a disk's partitions, by partition number.
std::vector<std::string> partitions_of(const std::string& disk, const Roots& roots = {});

/// The disk itself and all its partitions.
std::vector<std::string> family_of(const std::string& disk, const Roots& roots = {});

/// A number in a sysfs file; nothing where there is none.
std::optional<std::uint64_t> read_number(const std::filesystem::path& attribute);

/// The names in a sysfs folder, sorted; none where there is no folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace vmtax::drive
