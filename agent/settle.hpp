// Between two jobs: write back what is dirty, drop a target's pages, and count what stayed.
#pragma once

#include <string>

#include "protocol/units.hpp"

namespace vmtax::agent {

/// Writes back and drops the pages of a file or block device; the bytes of it that are still in the
/// page cache. Throws kernel::Refused.
Bytes settle(const std::string& path);

/// Drops all clean pages, dentries and inodes of the machine. Throws kernel::Refused.
void drop_all_caches();

/// How much of an open file or block device is in the page cache.
Bytes resident_bytes(int fd, const std::string& path);

}  // namespace vmtax::agent
