#include "scenario/iotune.hpp"

#include <chrono>

#include <fmt/format.h>

#include "scenario/fault.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {
namespace {

std::uint64_t value_in_libvirts_unit(const Entry& entry) {
  if (entry.key.ends_with("_max_length"))
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(duration_of(entry.value)).count());
  const bool bytes = entry.key == "size_iops_sec" || entry.key.find("bytes") != std::string::npos;
  return bytes ? size_of(entry.value).value : whole_of(entry.value);
}

}  // namespace

std::map<std::string, std::uint64_t> build_iotune(const Node& section) {
  std::map<std::string, std::uint64_t> limits;
  bool limits_requests = false;
  for (const auto& entry : section.entries) {
    limits[entry.key] = value_in_libvirts_unit(entry);
    const bool of_requests = entry.key.ends_with("iops_sec") && entry.key != "size_iops_sec";
    limits_requests = limits_requests || of_requests;
  }
  for (const auto& [name, limit] : limits) {
    if (!name.ends_with("_max")) continue;
    const auto steady = name.substr(0, name.size() - 4);
    if (limit < limits[steady])
      fail(section.find(name)->mark,
           fmt::format("{}: {} is below {} {}", name, section.find(name)->text, steady,
                       section.find(steady)->text),
           "a burst rate that is not below the steady rate");
  }
  if (limits.contains("size_iops_sec") && !limits_requests)
    fail(section.key_mark("size_iops_sec"), "size_iops_sec is given without a limit on requests",
         "size_iops_sec together with total_iops_sec, read_iops_sec or write_iops_sec");
  return limits;
}

}  // namespace vmtax::scenario
