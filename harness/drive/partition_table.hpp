// The GPT that divides a drive into regions: written by sfdisk, known by its disk GUID, and erased
// to the byte where it was written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/regions.hpp"
#include "protocol/units.hpp"

namespace vmtax::drive {

/// Every region's partition is named "vmtax-<slice>"; a GPT name has at most 36 characters.
inline constexpr std::string_view partition_prefix = "vmtax-";
inline constexpr std::size_t longest_partition_name = 36;

/// A random (version 4) GUID in its usual text form, upper case.
std::string new_guid();

/// The GUID in its text form, of 16 bytes as GPT stores them (the first three groups
/// little-endian).
std::string guid_text(std::string_view bytes);

/// What sfdisk is given: one line per slice, in sectors of the device.
std::string sfdisk_script(const std::string& guid, const std::vector<Slice>& slices, Bytes sector);

/// Writes the table to the disk at `device` and lets the kernel know its partitions, also where the
/// kernel can't read a GPT itself. The device is held exclusively in between. Signatures of former
/// contents at the places of table and partitions are wiped. EnvironmentError when the device is
/// busy.
void write_table(const std::filesystem::path& device, const std::string& script);

/// Erases the table whose disk GUID is `guid`, both copies and the protective MBR, and its
/// partitions in the kernel; anything else on the device stays. Does nothing where no copy of it is
/// there. EnvironmentError when the device is busy.
void erase_table(const std::filesystem::path& device, const std::string& guid);

/// The GUIDs of the table's two copies: primary, backup; nothing for a copy that isn't there.
struct TableGuids {
  std::optional<std::string> primary, backup;
};
TableGuids table_guids(const std::filesystem::path& device);

/// The name that a partition has in its table, by the partition's kernel name; empty if it has
/// none.
std::string partition_name(const std::string& kernel_name);

}  // namespace vmtax::drive
