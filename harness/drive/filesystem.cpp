#include "drive/filesystem.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "drive/block_device.hpp"
#include "drive/guard.hpp"
#include "drive/mount_table.hpp"
#include "drive/ownership.hpp"
#include "drive/processes.hpp"
#include "drive/regions.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::vector<std::string> mkfs_command(const std::string& kind, const std::string& partition) {
  if (kind == "ext4")
    return {"mkfs.ext4",
            "-q",
            "-F",
            "-m",
            "0",
            "-E",
            "lazy_itable_init=0,lazy_journal_init=0,nodiscard",
            partition};
  if (kind == "xfs") return {"mkfs.xfs", "-q", "-f", "-K", partition};
  throw std::logic_error("no file system '" + kind + "'");
}

bool is_ours(const Mount& mount, const std::string& partition) {
  return mount.source == partition;
}

// Who is to be asked to let go.
std::string holders(const fs::path& mountpoint) {
  struct stat status {};
  if (::stat(mountpoint.c_str(), &status) != 0) return "unknown";
  const auto pids = users_of_filesystem(status.st_dev);
  return pids.empty() ? "a loop device, a swap file or another mount inside it"
                      : describe_processes(pids);
}

void unmount(const fs::path& mountpoint, const std::string& partition) {
  const Deadline deadline{"the file system at '" + mountpoint.string() + "' is free", 10s};
  // Ends of processes and of asynchronous I/O reach the file system a moment later.
  wait_until(deadline, [&] {
    const auto mount = mounted_at(mountpoint);
    if (!mount || !is_ours(*mount, partition)) return true;
    return ::umount2(mountpoint.c_str(), UMOUNT_NOFOLLOW) != 0 && errno != EBUSY;
  });
  const auto left = mounted_at(mountpoint);
  if (!left) return;
  if (!is_ours(*left, partition))
    throw EnvironmentError("'" + mountpoint.string() + "' has " + left->source +
                           " mounted, which vmtax did not do: unmount it");
  throw EnvironmentError("'" + mountpoint.string() + "' can't be unmounted, it is held by " +
                         holders(mountpoint));
}

}  // namespace

void make_filesystem(const fs::path& partition, const std::string& kind, const fs::path& mountpoint,
                     journal::Journal& journal) {
  check_region(partition);
  const auto node = node_of(kernel_name(partition)).string();
  run_checked(mkfs_command(kind, node), 15min);
  make_own_directory(mountpoint, journal);
  const auto place = fs::canonical(mountpoint).string();
  journal.will_make(kind_filesystem, {{"partition", node}, {"mountpoint", place}});
  if (::mount(node.c_str(), place.c_str(), kind.c_str(), MS_NOATIME, nullptr) != 0)
    throw EnvironmentError(node + " can't be mounted as " + kind + " at '" + place +
                           "': " + std::strerror(errno));
}

void remove_filesystem(const nlohmann::json& detail) {
  const fs::path mountpoint = detail.at("mountpoint").get<std::string>();
  const auto partition = detail.at("partition").get<std::string>();
  unmount(mountpoint, partition);
  const auto mounts = mounts_everywhere();
  const auto elsewhere = std::ranges::find_if(mounts, [&](const Mount& mount) {
    return mount.seen_by != 0 && is_ours(mount, partition) && mount.mountpoint == mountpoint;
  });
  if (elsewhere != mounts.end())
    throw EnvironmentError(partition + " is still mounted in the mount namespace of " +
                           describe_process(elsewhere->seen_by) + ": end that process");
}

}  // namespace vmtax::drive
