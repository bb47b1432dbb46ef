#include "agent/settle.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/descriptor.hpp"
#include "kernel/failures.hpp"
#include "kernel/open_target.hpp"

namespace vmtax::agent {
namespace {

// cachestat(2) of Linux 6.5, which the C library doesn't know yet. Pages, not bytes.
struct CacheRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // 0: to the end
};
struct CacheCounts {
  std::uint64_t cached = 0, dirty = 0, writeback = 0, evicted = 0, recently_evicted = 0;
};
constexpr long cachestat_number = 451;

std::optional<std::uint64_t> cached_pages(int fd) {
  CacheRange range;
  CacheCounts counts;
  if (::syscall(cachestat_number, fd, &range, &counts, 0U) != 0) return std::nullopt;
  return counts.cached;
}

// The way of older kernels: window by window, so that a large disk needs neither address space nor
// memory of its size.
std::uint64_t mapped_pages(int fd, std::uint64_t size, std::uint64_t page,
                           const std::string& path) {
  constexpr std::uint64_t window = std::uint64_t{1} << 30;
  std::vector<unsigned char> present(window / page);
  std::uint64_t pages = 0;
  for (std::uint64_t at = 0; at < size; at += window) {
    const auto length = std::min(window, size - at);
    void* mapping = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(at));
    if (mapping == MAP_FAILED) throw kernel::refused_by_system(path + ": mmap", errno);
    const bool counted = ::mincore(mapping, length, present.data()) == 0;
    const int number = errno;
    ::munmap(mapping, length);
    if (!counted) throw kernel::refused_by_system(path + ": mincore", number);
    const auto end = present.begin() + static_cast<std::ptrdiff_t>((length + page - 1) / page);
    pages += static_cast<std::uint64_t>(
        std::count_if(present.begin(), end, [](unsigned char flags) { return flags & 1; }));
  }
  return pages;
}

}  // namespace

Bytes resident_bytes(int fd, const std::string& path) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  if (const auto pages = cached_pages(fd)) return Bytes{*pages * page};
  return Bytes{mapped_pages(fd, kernel::size_of(fd, path).value, page, path) * page};
}

Bytes settle(const std::string& path) {
  const kernel::Descriptor fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) throw kernel::refused_by_system(path, errno);
  struct stat status {};
  ::fstat(fd.get(), &status);
  if (::fsync(fd.get()) != 0) throw kernel::refused_by_system(path + ": write back", errno);
  if (S_ISBLK(status.st_mode) && ::ioctl(fd.get(), BLKFLSBUF, 0) != 0)
    throw kernel::refused_by_system(path + ": flush buffers", errno);
  if (const int number = ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED))
    throw kernel::refused_by_system(path + ": drop pages", number);
  return resident_bytes(fd.get(), path);
}

void drop_all_caches() {
  const char* path = "/proc/sys/vm/drop_caches";
  const kernel::Descriptor fd{::open(path, O_WRONLY | O_CLOEXEC)};
  if (!fd || ::write(fd.get(), "3\n", 2) != 2) throw kernel::refused_by_system(path, errno);
}

}  // namespace vmtax::agent
