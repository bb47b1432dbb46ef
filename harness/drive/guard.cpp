#include "drive/guard.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/device_use.hpp"
#include "drive/inspect.hpp"
#include "drive/loop_device.hpp"
#include "drive/partition_table.hpp"
#include "drive/processes.hpp"
#include "drive/signatures.hpp"

namespace vmtax::drive {
namespace {

using Reasons = std::vector<std::string>;

void add_signatures(Reasons& reasons, const std::string& disk) {
  for (const auto& name : family_of(disk)) {
    try {
      for (const auto& signature : signatures_on(node_of(name)))
        reasons.push_back(name + " holds " + signature +
                          ": save what is needed; the drive's serial in `erase:` is the consent");
    } catch (const EnvironmentError& failure) {
      reasons.push_back(failure.what());
    }
  }
}

void add_state(Reasons& reasons, const GuardedDrive& drive, const std::string& disk,
               const DeviceFacts& facts) {
  if (facts.read_only)
    reasons.push_back(disk + " is read-only: make it writable (blockdev --setrw) or take another");
  if (facts.size != drive.size)
    reasons.push_back("its size was " + std::to_string(drive.size.value) +
                      " bytes when the plan was made and is " + std::to_string(facts.size.value) +
                      " now: start the run again with the right drive");
}

// The kernel's own word. Opened for reading, so that closing it wakes no udev rule for writers.
void add_exclusive_open(Reasons& reasons, const std::string& disk) {
  const Fd file{::open(node_of(disk).c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
  if (!file)
    reasons.push_back("it can't be opened exclusively (" + std::string{std::strerror(errno)} +
                      "): somebody that shows nowhere else holds it (ZFS, a file system in a "
                      "namespace without a process); release it");
}

}  // namespace

std::optional<std::string> missing_consent(const GuardedDrive& drive, const DeviceFacts& facts) {
  if (facts.serial.empty())
    return facts.device.string() +
           " has no serial that `erase:` could name: use a drive that has one, or a stand_in";
  if (!drive.erase)
    return "there is no consent to erase it: add `erase: " + facts.serial +
           "` (its serial) if all data on it may be lost";
  if (*drive.erase != facts.serial)
    return "the consent `erase: " + *drive.erase + "` is for another drive, this one's serial is " +
           facts.serial + ": correct path or serial";
  return std::nullopt;
}

std::vector<std::string> reasons_against_writing(const GuardedDrive& drive) {
  Reasons reasons;
  try {
    const auto name = kernel_name(drive.path);
    const auto disk = whole_disk(name);
    const auto facts = facts_of(name);
    if (disk != name) reasons.push_back(name + " is a partition: name the whole drive");
    const auto no_consent = drive.made_by_this_run ? std::nullopt : missing_consent(drive, facts);
    if (no_consent) reasons.push_back(*no_consent);
    if (drive.made_by_this_run && !is_stand_in(disk))
      reasons.push_back(disk + " is no stand-in of vmtax any more: start the run again");
    add_state(reasons, drive, name, facts);
    if (is_boot_disk(disk))
      reasons.push_back(disk + " is the disk that this machine runs from: take another");
    const auto users = users_of_disk(disk);
    reasons.insert(reasons.end(), users.begin(), users.end());
    if (no_consent) add_signatures(reasons, disk);
    if (users.empty()) add_exclusive_open(reasons, disk);
  } catch (const EnvironmentError& failure) {
    reasons.push_back(failure.what());
  }
  return reasons;
}

void check_guard(const GuardedDrive& drive) {
  std::string line;
  for (const auto& reason : reasons_against_writing(drive))
    line += (line.empty() ? "" : "; ") + reason;
  if (!line.empty())
    throw EnvironmentError("drive '" + drive.path.string() + "' must not be written: " + line);
}

void check_region(const std::filesystem::path& partition) {
  const auto name = kernel_name(partition);
  const auto disk = whole_disk(name);
  const auto refuse = [&](const std::string& why) {
    throw EnvironmentError("'" + partition.string() + "' must not be written: " + why);
  };
  if (disk == name || !partition_name(name).starts_with(partition_prefix))
    refuse("it is no region that vmtax made");
  const Fd file{::open(node_of(name).c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
  const auto openers = openers_of({read_attribute(sysfs_of(name) / "dev").value_or("")});
  if (file && openers.empty()) return;
  std::string users = openers.empty() ? "" : "; open in " + describe_processes(openers);
  for (const auto& user : users_of_disk(disk))
    if (user.starts_with(name + " ")) users += "; " + user;
  refuse("it is in use" + users);
}

}  // namespace vmtax::drive
