// A qemu-storage-daemon that exports a file through a throttle group by FUSE: a drive that is slow
// for everybody alike.
//
// The daemon is known by its command line, which names the mountpoint, a path of this run alone:
// that finds it after this process was killed at any moment, and no number can be confused. It is
// always ended before the mount: a daemon whose mount was taken away spins on a whole CPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "protocol/units.hpp"

namespace vmtax::drive {

struct ThrottledExport {
  std::filesystem::path file;        ///< what is exported
  std::filesystem::path mountpoint;  ///< an empty regular file, over which the export is mounted
  std::uint64_t iops = 0;            ///< 0: none
  Bytes bandwidth_per_second;        ///< 0: none
};

/// The whole command line.
std::vector<std::string> daemon_arguments(const ThrottledExport& spec);

/// Starts it and returns when the export is mounted with the file's size.
void start_daemon(const ThrottledExport& spec);

/// Ends it, unmounts what it left, and sees both gone. EnvironmentError while a loop device is
/// still attached to the export.
void end_daemon(const std::filesystem::path& mountpoint);

}  // namespace vmtax::drive
