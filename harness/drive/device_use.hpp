// Who uses a disk: everything that makes writing to it destroy somebody's data.
#pragma once

#include <string>
#include <vector>

#include "drive/roots.hpp"

namespace vmtax::drive {

/// One clause with its fix for each user of the disk or of one of its partitions: mounts in any
/// mount namespace (btrfs members too), swap, holders (device-mapper, md, bcache), loop devices
/// over it, processes that have it open for writing, guests. `disk` is the kernel name of a whole
/// disk.
std::vector<std::string> users_of_disk(const std::string& disk, const Roots& roots = {});

/// Whether the disk or one of its partitions is mounted, in any mount namespace.
bool is_mounted(const std::string& disk, const Roots& roots = {});

/// Whether the machine runs from this disk: it carries /, /usr, /boot or /boot/efi, directly or
/// beneath device-mapper, md or btrfs.
bool is_boot_disk(const std::string& disk, const Roots& roots = {});

/// The kernel names of the loop devices whose backing file is this path, which need not exist.
std::vector<std::string> loops_over(const std::filesystem::path& backing, const Roots& roots = {});

}  // namespace vmtax::drive
