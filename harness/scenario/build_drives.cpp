#include <cctype>
#include <set>

#include <fmt/format.h>

#include "scenario/build.hpp"
#include "scenario/fault.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::string_view stable_paths =
    "a path that stays the same, as listed by ls -l /dev/disk/by-id (also /dev/mapper/NAME, "
    "/dev/VG/LV, /dev/loopN, /dev/zramN, /dev/nullbN)";

// Names that the kernel hands out in the order of discovery: after a reboot they may be another
// drive.
bool is_kernel_name(std::string_view path) {
  if (!path.starts_with("/dev/")) return false;
  path.remove_prefix(5);
  if (path.find('/') != std::string_view::npos) return false;
  for (const std::string_view letters : {"sd", "vd", "hd", "xvd"})
    if (path.starts_with(letters) && path.size() > letters.size() &&
        std::islower(path[letters.size()]))
      return true;
  for (const std::string_view numbers : {"nvme", "mmcblk", "md", "dm-", "sr", "pmem", "nbd"})
    if (path.starts_with(numbers) && path.size() > numbers.size() &&
        std::isdigit(path[numbers.size()]))
      return true;
  return false;
}

DevicePath build_path(const Node& node, const Node* erase) {
  const std::filesystem::path path = node.text;
  if (path.lexically_normal() != path || node.text.ends_with('/'))
    fail(node.mark, fmt::format("path: {} has '.', '..', '//' or a last '/'", printable(node.text)),
         stable_paths);
  if (is_kernel_name(node.text))
    fail(node.mark,
         fmt::format("path: {} may be another drive after a reboot", printable(node.text)),
         stable_paths);
  DevicePath device{path, {}};
  if (erase) device.erase = erase->text;
  return device;
}

StandIn build_stand_in(const Node& node) {
  StandIn stand_in{node.find("directory")->text, size_of(*node.find("size")), {}};
  if (const Node* given = node.find("throttle")) {
    Throttle throttle;
    if (const Node* iops = given->find("iops")) throttle.iops = whole_of(*iops);
    if (const Node* bandwidth = given->find("bandwidth"))
      throttle.bandwidth_per_second = size_of(*bandwidth);
    stand_in.throttle = throttle;
  }
  return stand_in;
}

Drive build_drive(const Node& node) {
  Drive drive;
  drive.name = node.find("name")->text;
  drive.mark = node.mark;
  if (const Node* stand_in = node.find("stand_in"))
    drive.where = build_stand_in(*stand_in);
  else
    drive.where = build_path(*node.find("path"), node.find("erase"));
  const Node* span = node.find("span");
  if (!span) return drive;
  drive.span = size_of(*span);
  const auto* stand_in = std::get_if<StandIn>(&drive.where);
  if (stand_in && *drive.span >= stand_in->size)
    fail(span->mark,
         fmt::format("span: {} does not fit into the stand-in of {}", span->text,
                     format_bytes(stand_in->size)),
         "a span smaller than the drive: each region holds one");
  return drive;
}

}  // namespace

std::vector<Drive> build_drives(const Node& list) {
  std::vector<Drive> drives;
  std::set<std::string> names;
  std::set<std::filesystem::path> paths;
  for (const auto& item : list.items) {
    drives.push_back(build_drive(item));
    const auto& drive = drives.back();
    if (!names.insert(drive.name).second)
      fail(item.find("name")->mark,
           fmt::format("drive name '{}' is given twice", printable(drive.name)),
           "a name of its own for each drive");
    const auto* device = std::get_if<DevicePath>(&drive.where);
    if (device && !paths.insert(device->path).second)
      fail(item.find("path")->mark,
           fmt::format("path {} is given for two drives", printable(device->path.string())),
           "each drive once");
  }
  return drives;
}

}  // namespace vmtax::scenario
