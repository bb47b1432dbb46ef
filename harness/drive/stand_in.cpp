#include "drive/stand_in.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/log.hpp"
#include "drive/block_device.hpp"
#include "drive/capped_export.hpp"
#include "drive/loop_device.hpp"
#include "drive/ownership.hpp"
#include "drive/room.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;

// A size that every sector size divides, and an alignment that every device takes.
constexpr std::size_t page = 4096;

void check(const StandInSpec& spec) {
  const auto refuse = [&](const std::string& why) {
    throw ScenarioError("stand_in '" + spec.id + "': " + why);
  };
  if (spec.size.value == 0 || spec.size.value % page != 0)
    refuse("size " + format_bytes(spec.size) + " is no multiple of 4KiB");
  if (spec.directory.string().find_first_of("\"\\\n") != std::string::npos)
    refuse("directory '" + spec.directory.string() +
           "' has a quote, backslash or line break in it");
  if (!spec.directory.is_absolute())
    refuse("directory '" + spec.directory.string() + "' is no absolute path");
}

// Some file systems open with O_DIRECT and then fail, or have it only for some files: a block is
// written and read back.
void probe_direct_io(int file, const fs::path& directory) {
  const std::unique_ptr<void, decltype(&std::free)> block{std::aligned_alloc(page, page),
                                                          &std::free};
  std::memset(block.get(), 0, page);
  if (::pwrite(file, block.get(), page, 0) == ssize_t{page} && ::fdatasync(file) == 0 &&
      ::pread(file, block.get(), page, 0) == ssize_t{page})
    return;
  throw EnvironmentError("direct I/O fails in '" + directory.string() +
                         "': " + std::strerror(errno) + "; choose a directory on ext4 or xfs");
}

// On btrfs a file with checksums is written elsewhere each time, and from Linux 6.15 on never by
// direct I/O. Has to be set while the file is empty.
void without_copy_on_write(int file) {
  struct statfs where {};
  if (::fstatfs(file, &where) != 0 || where.f_type != BTRFS_SUPER_MAGIC) return;
  int flags = 0;
  if (::ioctl(file, FS_IOC_GETFLAGS, &flags) == 0) flags |= FS_NOCOW_FL;
  if (::ioctl(file, FS_IOC_SETFLAGS, &flags) != 0)
    log::warning("copy-on-write of the stand-in on btrfs could not be switched off");
}

void warn_of_memory(int file, const fs::path& directory) {
  struct statfs where {};
  if (::fstatfs(file, &where) == 0 && where.f_type == TMPFS_MAGIC)
    log::warning("the stand-in in '" + directory.string() + "' lies in memory (tmpfs)");
}

void make_file(const StandInSpec& spec, const fs::path& path, journal::Journal& journal) {
  will_make_file(path, journal);
  const Fd file{::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_DIRECT, 0600)};
  if (!file)
    throw EnvironmentError("'" + path.string() + "' can't be made with direct I/O: " +
                           std::strerror(errno) + "; choose a directory on ext4 or xfs");
  without_copy_on_write(file.get());
  warn_of_memory(file.get(), spec.directory);
  probe_direct_io(file.get(), spec.directory);
  check_room(path.parent_path(), spec.size, "the stand-in '" + spec.id + "'");
  if (const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(spec.size.value)))
    throw EnvironmentError("'" + path.string() + "' can't be allocated: " + std::strerror(error));
}

fs::path make_export(const StandInSpec& spec, const fs::path& folder, journal::Journal& journal) {
  const CappedExport capped{folder, spec.cap_iops, spec.cap_bandwidth_per_second};
  journal.will_make(kind_export, {{"folder", folder.string()}});
  start_export(capped);
  return capped.mountpoint();
}

}  // namespace

fs::path make_stand_in(const StandInSpec& spec, journal::Journal& journal) {
  check(spec);
  const auto folder = spec.directory / ("vmtax-" + spec.id);
  make_own_directory(folder, journal);
  // The kernel shows the backing files of loop devices and its mounts by their real paths.
  auto backing = CappedExport{fs::canonical(folder), 0, Bytes{0}}.file();
  make_file(spec, backing, journal);
  if (spec.cap_iops || spec.cap_bandwidth_per_second.value)
    backing = make_export(spec, backing.parent_path(), journal);
  journal.will_make(kind_loop, {{"backing", backing.string()}, {"id", spec.id}});
  return node_of(attach_loop(backing, spec.id));
}

}  // namespace vmtax::drive
