#include "drive/removers.hpp"

#include <nlohmann/json.hpp>

#include "drive/filesystem.hpp"
#include "drive/loop_device.hpp"
#include "drive/ownership.hpp"
#include "drive/partition_table.hpp"
#include "drive/storage_daemon.hpp"

namespace vmtax::drive {

using nlohmann::json;

journal::Removers removers() {
  const auto text = [](const json& detail, const char* key) {
    return detail.at(key).get<std::string>();
  };
  return {
      {kind_file, remove_file},
      {kind_directory, remove_directory},
      {kind_loop, [=](const json& d) { detach_loop(text(d, "backing"), text(d, "id")); }},
      {kind_daemon, [=](const json& d) { end_daemon(text(d, "mountpoint")); }},
      {kind_table, [=](const json& d) { erase_table(text(d, "device"), text(d, "guid")); }},
      {kind_filesystem, remove_filesystem},
  };
}

}  // namespace vmtax::drive
