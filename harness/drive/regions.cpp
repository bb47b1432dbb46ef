#include "drive/regions.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "drive/block_device.hpp"
#include "drive/inspect.hpp"
#include "drive/ownership.hpp"
#include "drive/partition_table.hpp"
#include "drive/wait_until.hpp"

namespace vmtax::drive {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

void check(const std::vector<Slice>& slices, const DeviceFacts& facts) {
  Bytes free_from = table_reserve;
  for (const auto& slice : slices) {
    const auto refuse = [&](const char* why) {
      throw std::logic_error("slice '" + slice.name + "' " + why);
    };
    if (partition_prefix.size() + slice.name.size() > longest_partition_name)
      refuse("has too long a name");
    if (slice.name.find_first_of("\"\\\n") != std::string::npos) refuse("has an impossible name");
    if (slice.offset.value % table_reserve.value != 0) refuse("is not aligned");
    if (slice.size.value == 0 || slice.size.value % facts.logical_sector.value != 0)
      refuse("has no whole number of sectors");
    if (slice.offset < free_from) refuse("overlaps what is before it");
    free_from = slice.offset + slice.size;
    if (free_from + table_reserve > facts.size) refuse("reaches beyond the drive");
  }
}

// The kernel's own view of the partition, in the units of sysfs.
bool is_at(const std::string& partition, const Slice& slice) {
  const auto folder = sysfs_of(partition);
  return read_number(folder / "start") == slice.offset.value / 512 &&
         read_number(folder / "size") == slice.size.value / 512;
}

}  // namespace

std::vector<fs::path> make_partitions(const GuardedDrive& drive, const std::vector<Slice>& slices,
                                      journal::Journal& journal) {
  const auto disk = kernel_name(drive.path);
  const auto facts = facts_of(disk);
  check(slices, facts);
  const auto guid = new_guid();
  check_guard(drive);
  journal.will_make(kind_table, {{"device", drive.path.string()}, {"guid", guid}});
  write_table(facts.device, sfdisk_script(guid, slices, facts.logical_sector));

  const Deadline deadline{"the partitions of '" + drive.path.string() + "' appear", 15s};
  std::vector<std::string> names;
  const bool there = wait_until(deadline, [&] {
    names = partitions_of(disk);
    if (names.size() != slices.size()) return false;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!is_at(names[i], slices[i]) || !block_number(node_of(names[i]))) return false;
    return true;
  });
  if (!there || table_guids(facts.device).primary != guid)
    throw EnvironmentError(deadline.missed() + " with the offsets and sizes that were written");
  std::vector<fs::path> nodes;
  for (const auto& name : names) nodes.push_back(node_of(name));
  return nodes;
}

}  // namespace vmtax::drive
