// What a block device is, from sysfs.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "protocol/units.hpp"

namespace vmtax::drive {

struct DeviceFacts {
  std::filesystem::path device;  ///< the resolved /dev node
  Bytes size;
  Bytes logical_sector{512};
  Bytes physical_sector{512};
  bool rotational = false;
  bool read_only = false;
  std::string model, serial, scheduler;
};

/// EnvironmentError when the path is absent or no block device.
DeviceFacts inspect(const std::filesystem::path& path);
nlohmann::json to_json(const DeviceFacts& facts);

}  // namespace vmtax::drive
