// Mounts, as /proc/PID/mountinfo lists them (proc(5)).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "drive/roots.hpp"

namespace vmtax::drive {

struct Mount {
  std::string device;                ///< "8:1"; an anonymous "0:45" for btrfs, FUSE and the like
  std::filesystem::path mountpoint;  ///< as that process sees it
  std::string type;                  ///< ext4, xfs, ...
  std::string source;                ///< what was mounted: a device path or any text
  pid_t seen_by = 0;                 ///< a process of its mount namespace; 0: our own namespace
};

/// The text of one mountinfo file. Octal escapes (\040) are resolved; a line that is none is
/// skipped.
std::vector<Mount> parse_mounts(std::string_view text);

/// Those of our own mount namespace.
std::vector<Mount> own_mounts(const Roots& roots = {});

/// Those of every mount namespace in which a process lives: our own first, then what others have
/// beyond it (the same device at the same place is listed once).
std::vector<Mount> mounts_everywhere(const Roots& roots = {});

/// The topmost mount at exactly this place in our own namespace.
std::optional<Mount> mounted_at(const std::filesystem::path& mountpoint, const Roots& roots = {});

/// "\040" and the other octal escapes of procfs resolved.
std::string unescape(std::string_view text);

}  // namespace vmtax::drive
