#include "drive/inspect.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "drive/block_device.hpp"
#include "drive/serial.hpp"

namespace vmtax::drive {
namespace {

// sysfs counts sizes in units of 512 bytes, whatever the device's sector is.
constexpr std::uint64_t sysfs_sector = 512;

std::string text_of(const std::filesystem::path& attribute) {
  std::string text = read_attribute(attribute).value_or("");
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// "none [mq-deadline] kyber" -> "mq-deadline"; a lone word is itself the scheduler in use.
std::string chosen(const std::string& schedulers) {
  const auto open = schedulers.find('[');
  const auto close = schedulers.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return schedulers;
  return schedulers.substr(open + 1, close - open - 1);
}

}  // namespace

DeviceFacts facts_of(const std::string& name, const Roots& roots) {
  const auto own = sysfs_of(name, roots);
  const auto disk_name = whole_disk(name, roots);
  const auto disk = sysfs_of(disk_name, roots);
  DeviceFacts facts;
  facts.device = node_of(name);
  facts.size = Bytes{read_number(own / "size").value_or(0) * sysfs_sector};
  facts.logical_sector = Bytes{read_number(disk / "queue/logical_block_size").value_or(512)};
  facts.physical_sector = Bytes{read_number(disk / "queue/physical_block_size").value_or(512)};
  facts.rotational = read_number(disk / "queue/rotational") == 1;
  facts.read_only = read_number(own / "ro") == 1;
  facts.model = text_of(disk / "device/model");
  facts.serial = serial_of(disk_name, roots);
  facts.scheduler = chosen(text_of(disk / "queue/scheduler"));
  return facts;
}

DeviceFacts inspect(const std::filesystem::path& path, const Roots& roots) {
  return facts_of(kernel_name(path, roots), roots);
}

nlohmann::json to_json(const DeviceFacts& facts) {
  return {{"device", facts.device.string()},
          {"size", facts.size.value},
          {"logical_sector", facts.logical_sector.value},
          {"physical_sector", facts.physical_sector.value},
          {"rotational", facts.rotational},
          {"read_only", facts.read_only},
          {"model", facts.model},
          {"serial", facts.serial},
          {"scheduler", facts.scheduler}};
}

}  // namespace vmtax::drive
