// A stand-in drive: a file that vmtax makes, behind a loop device with direct I/O.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "journal/journal.hpp"
#include "protocol/units.hpp"

namespace vmtax::drive {

struct StandInSpec {
  std::filesystem::path directory;
  Bytes size;
  /// A cap that host and guest meet alike: a throttled export of the file, over which the loop
  /// device lies. 0: none. Up to about 10,000 requests a second.
  std::uint64_t cap_iops = 0;
  Bytes cap_bandwidth_per_second;
  std::string id;  ///< unique file name part, e.g. "a1b2c3-scratch"
};

/// Makes it, each part journalled first, and returns the loop device. Direct I/O is read back from
/// /sys to be on. The file is allocated in full. EnvironmentError: no space (needed, available), no
/// O_DIRECT in this directory, no free loop device.
std::filesystem::path make_stand_in(const StandInSpec& spec, journal::Journal& journal);

}  // namespace vmtax::drive
