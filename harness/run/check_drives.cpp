#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/fd.hpp"
#include "base/process.hpp"
#include "drive/guard.hpp"
#include "run/check_parts.hpp"

namespace vmtax::run {
namespace {

namespace fs = std::filesystem;

// What stand-ins checked before will take, by file system.
using Claims = std::map<dev_t, Bytes>;

// The directory itself is made when needed: what counts is its nearest parent that exists.
fs::path existing_parent(const fs::path& directory) {
  fs::path parent = directory;
  std::error_code unknown;
  while (parent.has_relative_path() && !fs::exists(fs::symlink_status(parent, unknown)))
    parent = parent.parent_path();
  return parent;
}

// By a file without a name, which is gone when it is closed.
void probe_direct_io(const fs::path& directory) {
  const Fd file{::open(directory.c_str(), O_RDWR | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600)};
  if (file || errno == EOPNOTSUPP || errno == EISDIR)
    return;  // or a file system without such files
  const bool may_not = errno == EACCES || errno == EPERM || errno == EROFS;
  throw EnvironmentError("no file with direct I/O can be made in '" + directory.string() +
                         "': " + std::strerror(errno) + "; choose a directory " +
                         (may_not ? "that can be written" : "on ext4 or xfs"));
}

std::string check_stand_in(const scenario::StandIn& stand_in, Claims& claims) {
  const auto parent = existing_parent(stand_in.directory);
  struct stat status {};
  struct statvfs room {};
  if (::stat(parent.c_str(), &status) != 0 || ::statvfs(parent.c_str(), &room) != 0)
    throw EnvironmentError("'" + parent.string() + "' can't be examined: " + std::strerror(errno));
  if (!S_ISDIR(status.st_mode))
    throw EnvironmentError("'" + parent.string() + "' is no directory: choose another place");
  probe_direct_io(parent);
  auto& claimed = claims[status.st_dev];
  const Bytes available{room.f_bavail * room.f_frsize};
  const Bytes needed = claimed + stand_in.size + mib(64);
  claimed = claimed + stand_in.size;
  if (available < needed)
    throw EnvironmentError(fmt::format(
        "'{}' has {} MiB free, {} MiB are needed{}: free some, or make the stand-in smaller",
        parent.string(), available.value >> 20, needed.value >> 20,
        claimed > stand_in.size ? " for this and the other stand-ins there" : ""));
  return fmt::format("stand-in of {} in '{}', {} MiB free", format_bytes(stand_in.size),
                     stand_in.directory.string(), available.value >> 20);
}

void check_device(Checks& checks, const plan::PlannedDrive& planned) {
  const auto& device = std::get<scenario::DevicePath>(planned.drive.where);
  const std::string subject = "drive " + planned.drive.name;
  if (!planned.writable) {
    checks.attempt(subject, [&] {
      const Fd file{::open(device.path.c_str(), O_RDONLY | O_CLOEXEC)};
      if (!file)
        throw EnvironmentError("'" + device.path.string() +
                               "' can't be read: " + std::strerror(errno));
      return device.path.string() + " is only read, since there is no 'erase'";
    });
    return;
  }
  drive::GuardedDrive guarded;
  guarded.path = device.path;
  guarded.erase = device.erase;
  guarded.size = planned.facts.size;
  const auto reasons = drive::reasons_against_writing(guarded);
  for (const auto& reason : reasons) checks.obstacle(subject, reason);
  if (reasons.empty()) checks.good(subject, device.path.string() + " may be erased");
}

std::set<std::string> programs_of(const plan::PlannedDrive& planned) {
  std::set<std::string> programs;
  if (planned.writable) programs.insert("sfdisk");
  for (const auto& region : planned.regions) {
    if (!region.filesystem) continue;
    programs.insert("qemu-img");
    programs.insert("mkfs." + std::string{scenario::to_text(*region.filesystem)});
  }
  const auto* stand_in = std::get_if<scenario::StandIn>(&planned.drive.where);
  if (stand_in && stand_in->throttle)
    programs.insert({"qemu-storage-daemon", "nbdfuse", "setsid", "sh"});
  return programs;
}

}  // namespace

void check_programs(Checks& checks, const plan::Plan& plan) {
  std::set<std::string> needed;
  for (const auto& planned : plan.drives) needed.merge(programs_of(planned));
  std::string missing;
  for (const auto& program : needed)
    if (find_program(program).empty()) missing += (missing.empty() ? "" : ", ") + program;
  if (!missing.empty())
    checks.obstacle("programs", "not found: " + missing + "; './setup deps' installs them");
}

void check_drives(Checks& checks, const plan::Plan& plan) {
  Claims claims;
  for (const auto& planned : plan.drives) {
    if (const auto* stand_in = std::get_if<scenario::StandIn>(&planned.drive.where))
      checks.attempt("drive " + planned.drive.name,
                     [&] { return check_stand_in(*stand_in, claims); });
    else
      check_device(checks, planned);
  }
}

}  // namespace vmtax::run
