// Regions of a drive: a GPT, file systems on its partitions, image files on those.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "drive/guard.hpp"
#include "journal/journal.hpp"
#include "protocol/units.hpp"

namespace vmtax::drive {

struct Slice {
  std::string name;
  Bytes offset;
  Bytes size;
};

/// Room that the partition table takes at both ends of a drive; slices begin on multiples of it.
inline constexpr Bytes table_reserve = mib(1);

/// Writes a GPT with one partition per slice and returns their device paths in order, each read
/// back to have the asked offset and size. The guard of `drive` is checked right before. The table
/// is removed by the journal: exactly its own sectors, and only as long as it still is this table.
/// EnvironmentError when the device is busy; logic_error when slices overlap, are not aligned or
/// reach into the table's reserve.
std::vector<std::filesystem::path> make_partitions(const GuardedDrive& drive,
                                                   const std::vector<Slice>& slices,
                                                   journal::Journal& journal);

/// mkfs and mount (noatime) at `mountpoint` (made). `kind`: ext4 | xfs. Lazy initialisation is off,
/// so that no kernel thread writes during the measurement; nothing is discarded, so that all
/// regions stay in the same state of trim. Only on a partition that make_partitions made. The
/// journal unmounts it and removes the mountpoint.
void make_filesystem(const std::filesystem::path& partition, const std::string& kind,
                     const std::filesystem::path& mountpoint, journal::Journal& journal);

struct ImageSpec {
  std::filesystem::path path;
  std::string format;  ///< raw | qcow2
  Bytes size;
  std::string preallocation;  ///< off | metadata | falloc | full
  std::optional<Bytes> cluster_size;
  std::optional<bool> extended_l2;
  std::optional<bool> lazy_refcounts;
};

/// qemu-img create, then read back with qemu-img info. EnvironmentError when the file system has
/// not the room for its full virtual size beside what the other images in its folder may still
/// take, or the format's option did not take.
void make_image(const ImageSpec& spec, journal::Journal& journal);

/// {"virtual_size", "allocated"} in bytes, read with qemu-img -U.
nlohmann::json image_facts(const std::filesystem::path& path, const std::string& format);

}  // namespace vmtax::drive
