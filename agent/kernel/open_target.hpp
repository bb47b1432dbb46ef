// Opens what a job reads or writes, and proves that it can be: size, alignment, O_DIRECT, nobody
// else.
#pragma once

#include <string>

#include "kernel/descriptor.hpp"
#include "protocol/io_job.hpp"

namespace vmtax::kernel {

struct OpenTarget {
  Descriptor fd;
  std::string path;
  Bytes size;
  Bytes alignment;      ///< of direct I/O: the device's logical block, or what the file system says
  Bytes span;           ///< of the job, with "to the end" resolved; in the extents' linear space
  bool direct = false;  ///< as read back from the descriptor's flags
};

/// Read-only jobs open read-only; a block device that is written is opened O_EXCL, and never when
/// it is mounted. Nothing is created. Throws Refused.
OpenTarget open_target(const protocol::IoJob& job, const std::string& path);

/// Of a job that does no I/O: as large as its span, 1 GiB where it has none. Throws Refused.
OpenTarget imagined_target(const protocol::IoJob& job);

/// Bytes of an open file or block device. Throws Refused.
Bytes size_of(int fd, const std::string& path);

}  // namespace vmtax::kernel
