#include "drive/device_use.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/mount_table.hpp"
#include "drive/processes.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;

// A disk and its partitions: name and number of each.
struct Family {
  std::vector<std::string> names, numbers;

  Family(const std::string& disk, const Roots& roots) : names(family_of(disk, roots)) {
    for (const auto& name : names)
      numbers.push_back(read_attribute(sysfs_of(name, roots) / "dev").value_or(""));
  }
  // The name of the member with this number, or empty.
  std::string member(const std::string& number) const {
    const auto at = std::ranges::find(numbers, number);
    return at == numbers.end() || number.empty() ? "" : names[std::size_t(at - numbers.begin())];
  }
  // The member that a path leads to, or empty. Nodes that are absent in a recorded tree are known
  // by their name.
  std::string member_at(const fs::path& path) const {
    if (!path.string().starts_with("/dev/")) return {};
    if (const auto number = block_number(path)) return member(number_text(*number));
    const auto name = std::ranges::find_if(names, [&](auto& n) { return node_of(n) == path; });
    return name == names.end() ? "" : *name;
  }
};

std::string with_namespace(const Mount& mount, const Roots& roots) {
  if (mount.seen_by == 0) return {};
  return " in the mount namespace of " + describe_process(mount.seen_by, roots);
}

void add_mounts(std::vector<std::string>& users, const Family& family, const Roots& roots) {
  std::set<std::string> mounted;
  for (const auto& mount : mounts_everywhere(roots)) {
    auto name = family.member(mount.device);
    if (name.empty()) name = family.member_at(mount.source);
    if (name.empty()) continue;
    mounted.insert(name);
    const auto place = mount.mountpoint.string();
    users.push_back(name + " is mounted at " + place + " (" + mount.type + ")" +
                    with_namespace(mount, roots) +
                    (mount.seen_by ? ": end that process or unmount it there"
                                   : ": unmount it (umount " + place + ")"));
  }
  // A btrfs of several devices shows only one of them in mountinfo.
  for (const auto& uuid : names_in(roots.sys / "fs/btrfs"))
    for (const auto& name : names_in(roots.sys / "fs/btrfs" / uuid / "devices"))
      if (std::ranges::find(family.names, name) != family.names.end() && !mounted.contains(name))
        users.push_back(name + " is part of the mounted btrfs " + uuid + ": unmount that");
}

void add_swaps(std::vector<std::string>& users, const Family& family, const Roots& roots) {
  std::istringstream lines(read_attribute(roots.proc / "swaps").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const fs::path path = unescape(line.substr(0, line.find_first_of(" \t")));
    if (const auto name = family.member_at(path); !name.empty())
      users.push_back(name + " is in use as swap: end that (swapoff " + path.string() + ")");
  }
}

// "dm-3 (pve-data)", "md127".
std::string holder_text(const std::string& holder, const Roots& roots) {
  const auto mapped = read_attribute(sysfs_of(holder, roots) / "dm/name");
  return mapped ? holder + " (" + *mapped + ")" : holder;
}

void add_holders(std::vector<std::string>& users, const std::string& name, const std::string& chain,
                 std::set<std::string>& seen, const Roots& roots) {
  for (const auto& holder : names_in(sysfs_of(name, roots) / "holders")) {
    if (!seen.insert(holder).second) continue;
    const auto text = chain + " is held by " + holder_text(holder, roots);
    users.push_back(text +
                    ": it belongs to LVM, RAID, multipath or encryption; take it out of that");
    add_holders(users, holder, holder_text(holder, roots), seen, roots);
  }
}

void add_loops(std::vector<std::string>& users, const Family& family, const Roots& roots) {
  for (const auto& loop : names_in(roots.sys / "class/block")) {
    const auto backing = read_attribute(sysfs_of(loop, roots) / "loop/backing_file");
    if (!backing) continue;
    if (const auto name = family.member_at(*backing); !name.empty())
      users.push_back(name + " is behind the loop device " + loop + ": detach that (losetup -d " +
                      node_of(loop).string() + ")");
  }
}

// The whole disks beneath a device, through partitions and through the slaves of dm and md.
void collect_disks(const std::string& name, std::set<std::string>& disks, const Roots& roots) {
  const auto slaves = names_in(sysfs_of(name, roots) / "slaves");
  if (slaves.empty()) disks.insert(whole_disk(name, roots));
  for (const auto& slave : slaves) collect_disks(slave, disks, roots);
}

std::set<std::string> disks_under(const Mount& mount, const Roots& roots) {
  std::set<std::string> disks;
  if (const auto name = name_of_number(mount.device, roots)) collect_disks(*name, disks, roots);
  const auto number = block_number(mount.source);
  const auto source = number ? name_of_number(number_text(*number), roots) : std::nullopt;
  if (!source || !disks.empty()) return disks;
  collect_disks(*source, disks, roots);
  for (const auto& uuid : names_in(roots.sys / "fs/btrfs")) {
    const auto members = names_in(roots.sys / "fs/btrfs" / uuid / "devices");
    if (std::ranges::find(members, *source) == members.end()) continue;
    for (const auto& member : members) collect_disks(member, disks, roots);
  }
  return disks;
}

}  // namespace

std::vector<std::string> users_of_disk(const std::string& disk, const Roots& roots) {
  const Family family(disk, roots);
  std::vector<std::string> users;
  add_mounts(users, family, roots);
  add_swaps(users, family, roots);
  std::set<std::string> seen;
  for (const auto& name : family.names) add_holders(users, name, name, seen, roots);
  add_loops(users, family, roots);
  for (const pid_t pid : openers_of(family.numbers, roots))
    users.push_back(disk + " is open in " + describe_process(pid, roots) + ": end that");
  return users;
}

bool is_mounted(const std::string& disk, const Roots& roots) {
  std::vector<std::string> users;
  add_mounts(users, Family(disk, roots), roots);
  return !users.empty();
}

bool is_boot_disk(const std::string& disk, const Roots& roots) {
  // The first process has the machine's own view, whatever namespace vmtax was started in.
  const auto text = read_attribute(roots.proc / "1/mountinfo");
  const auto mounts = text ? parse_mounts(*text) : own_mounts(roots);
  for (const auto& mount : mounts)
    for (const char* place : {"/", "/usr", "/boot", "/boot/efi", "/efi"})
      if (mount.mountpoint == place && disks_under(mount, roots).contains(disk)) return true;
  return false;
}

std::vector<std::string> loops_over(const fs::path& backing, const Roots& roots) {
  std::vector<std::string> loops;
  for (const auto& name : names_in(roots.sys / "class/block"))
    if (read_attribute(sysfs_of(name, roots) / "loop/backing_file") == backing.string())
      loops.push_back(name);
  return loops;
}

}  // namespace vmtax::drive
