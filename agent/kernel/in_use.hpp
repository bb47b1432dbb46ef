// Whether writing to a block device would hurt somebody: the last line of defence, in host and
// guest.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <sys/types.h>

namespace vmtax::kernel {

/// Where the kernel says what is mounted and swapped on; another folder in tests.
struct SystemRoots {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
};

/// Why the device must not be written to, in one clause ("its partition vda1 is mounted on /"), or
/// nothing. Looks at the device, its partitions and the disk that it is a partition of; mounts of
/// this process's namespace. Holders of other kinds are refused by O_EXCL at the open.
std::optional<std::string> why_in_use(dev_t device, const SystemRoots& roots = {});

}  // namespace vmtax::kernel
