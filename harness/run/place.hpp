// Where the bytes of a footprint are on the host, once provisioned.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "protocol/units.hpp"

namespace vmtax::run {

struct Place {
  std::filesystem::path path;  ///< a partition, or an image file
  bool is_block_device = false;
  bool read_only = false;  ///< a drive without consent: it is only ever opened for reading
  std::string format;      ///< raw | qcow2, as QEMU is told
  Bytes logical_sector{512};
  Bytes physical_sector{512};
};

/// By drive name and footprint name.
using Places = std::map<std::pair<std::string, std::string>, Place>;

}  // namespace vmtax::run
