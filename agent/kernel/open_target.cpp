#include "kernel/open_target.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "kernel/block_map.hpp"
#include "kernel/failures.hpp"
#include "kernel/in_use.hpp"

namespace vmtax::kernel {
namespace {

using protocol::IoJob;

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw refused_by_system(path, errno);
  if (!S_ISBLK(status.st_mode) && !S_ISREG(status.st_mode))
    throw Refused{path + ": neither a block device nor a regular file"};
  return status;
}

Descriptor open_for(const IoJob& job, const std::string& path, const struct stat& status) {
  const bool writing = protocol::writes(job.pattern);
  int flags = O_CLOEXEC | (writing ? O_RDWR : O_RDONLY) | (job.direct ? O_DIRECT : 0) |
              (job.dsync ? O_DSYNC : 0);
  if (writing && S_ISBLK(status.st_mode)) {
    if (const auto why = why_in_use(status.st_rdev))
      throw Refused{path + ": not written to, because " + *why, EBUSY};
    flags |= O_EXCL;
  }
  Descriptor fd{::open(path.c_str(), flags)};
  if (fd) return fd;
  const int number = errno;
  if (number == EBUSY && (flags & O_EXCL))
    throw Refused{path + ": not written to, because the kernel or another program holds it",
                  number};
  if (number == EINVAL && job.direct)
    throw Refused{path + ": its file system has no direct I/O (O_DIRECT: Invalid argument)",
                  number};
  throw refused_by_system(path, number);
}

// What direct I/O must be aligned to. statx knows it for files since Linux 6.1; where it says
// nothing, a misaligned I/O fails by itself.
Bytes direct_alignment(int fd, const struct stat& status) {
  if (S_ISBLK(status.st_mode)) {
    int logical = 512;
    ::ioctl(fd, BLKSSZGET, &logical);
    return Bytes{static_cast<std::uint64_t>(logical)};
  }
  struct statx extended {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &extended) == 0 &&
      (extended.stx_mask & STATX_DIOALIGN) && extended.stx_dio_offset_align != 0)
    return Bytes{extended.stx_dio_offset_align};
  return Bytes{512};
}

void check_alignment(const IoJob& job, const OpenTarget& target) {
  const auto check = [&](Bytes value, const char* what) {
    if (value.value % target.alignment.value != 0)
      throw Refused{std::string{what} + " " + format_bytes(value) + ": direct I/O on " +
                        target.path + " needs a multiple of its logical block of " +
                        format_bytes(target.alignment),
                    EINVAL};
  };
  check(job.block_size, "block size");
  check(job.offset, "offset");
  if (job.amount) check(*job.amount, "amount");
}

// Of the linear space of the job's extents: their whole blocks.
Bytes space_of_extents(const IoJob& job, const OpenTarget& target) {
  for (const auto& extent : job.extents) {
    if (extent.offset > target.size || extent.length > target.size - extent.offset)
      throw Refused{target.path + ": an extent ends at " +
                    format_bytes(extent.offset + extent.length) + ", beyond its size of " +
                    format_bytes(target.size)};
    if (extent.offset.value % target.alignment.value != 0)
      throw Refused{target.path + ": an extent begins at " + format_bytes(extent.offset) +
                        "; direct I/O on it needs a multiple of " + format_bytes(target.alignment),
                    EINVAL};
  }
  return job.block_size * BlockMap{job.extents, job.block_size}.count();
}

Bytes resolve_span(const IoJob& job, const OpenTarget& target) {
  const Bytes size = job.extents.empty() ? target.size : space_of_extents(job, target);
  const std::string where = job.extents.empty() ? target.path : target.path + " (its extents)";
  if (job.offset > size || job.span > size - job.offset)
    throw Refused{where + ": the span ends at " + format_bytes(job.offset + job.span) +
                  ", beyond its size of " + format_bytes(size)};
  const Bytes span = job.span.value ? job.span : size - job.offset;
  if (span < job.block_size * job.jobs)
    throw Refused{where + ": the span of " + format_bytes(span) + " is smaller than " +
                  (job.jobs == 1 ? std::string{"one block"}
                                 : std::to_string(job.jobs) + " blocks (one for each job)") +
                  " of " + format_bytes(job.block_size)};
  if (job.amount && *job.amount > span && job.amount->value % job.block_size.value != 0)
    throw Refused{"amount " + format_bytes(*job.amount) + ": beyond one pass of the span of " +
                  format_bytes(span) + " it must be a multiple of the block size"};
  if (job.verify.on && span < job.block_size * job.jobs * job.iodepth)
    throw Refused{"verify: the span of " + format_bytes(span) +
                  " is smaller than what is in flight, so that two writes of a block could mix"};
  return span;
}

}  // namespace

Bytes size_of(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw refused_by_system(path, errno);
  if (S_ISREG(status.st_mode)) return Bytes{static_cast<std::uint64_t>(status.st_size)};
  std::uint64_t bytes = 0;
  if (::ioctl(fd, BLKGETSIZE64, &bytes) != 0) throw refused_by_system(path, errno);
  return Bytes{bytes};
}

OpenTarget open_target(const IoJob& job, const std::string& path) {
  const auto status = status_of(path);
  OpenTarget target;
  target.path = path;
  target.fd = open_for(job, path, status);
  target.size = size_of(target.fd.get(), path);
  const int flags = ::fcntl(target.fd.get(), F_GETFL);
  target.direct = flags >= 0 && (flags & O_DIRECT);
  if (target.direct != job.direct)
    throw Refused{path +
                  (job.direct ? ": O_DIRECT was asked but is off" : ": O_DIRECT is on unasked")};
  target.alignment = target.direct ? direct_alignment(target.fd.get(), status) : Bytes{1};
  check_alignment(job, target);
  target.span = resolve_span(job, target);
  return target;
}

OpenTarget imagined_target(const IoJob& job) {
  OpenTarget target;
  target.path = "nothing";
  target.size = job.span.value ? job.offset + job.span : job.offset + gib(1);
  for (const auto& extent : job.extents)
    target.size = std::max(target.size, extent.offset + extent.length);
  target.alignment = Bytes{1};
  target.direct = job.direct;
  target.span = resolve_span(job, target);
  return target;
}

}  // namespace vmtax::kernel
