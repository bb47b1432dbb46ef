#include "drive/removers.hpp"

#include <nlohmann/json.hpp>

#include "drive/capped_export.hpp"
#include "drive/filesystem.hpp"
#include "drive/loop_device.hpp"
#include "drive/ownership.hpp"
#include "drive/partition_table.hpp"

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
      {kind_export,
       [=](const json& d) {
         end_export({text(d, "folder"), 0, Bytes{0}});
       }},
      {kind_table, [=](const json& d) { erase_table(text(d, "device"), text(d, "guid")); }},
      {kind_filesystem, remove_filesystem},
  };
}

}  // namespace vmtax::drive
