// What a block device is, from sysfs.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "drive/roots.hpp"
#include "protocol/units.hpp"

namespace vmtax::drive {

struct DeviceFacts {
  std::filesystem::path device;  ///< the resolved /dev node
  Bytes size;
  Bytes logical_sector{512};
  Bytes physical_sector{512};
  bool rotational = false;
  bool read_only = false;
  std::string model, serial, scheduler;  ///< of the whole disk; empty where it has none
};

/// EnvironmentError when the path is absent or no block device.
DeviceFacts inspect(const std::filesystem::path& path, const Roots& roots = {});

/// The same of a device by its kernel name ("nvme0n1", "sda2").
DeviceFacts facts_of(const std::string& kernel_name, const Roots& roots = {});

nlohmann::json to_json(const DeviceFacts& facts);

}  // namespace vmtax::drive
