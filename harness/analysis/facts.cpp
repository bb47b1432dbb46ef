#include "analysis/facts.hpp"

#include <nlohmann/json.hpp>

namespace vmtax::analysis {

using nlohmann::json;

namespace {

/// What is at the pointer; nothing where the way there is no object.
const json* at(const json& facts, const char* pointer) {
  const json::json_pointer place(pointer);
  return facts.is_object() && facts.contains(place) ? &facts.at(place) : nullptr;
}

}  // namespace

std::optional<std::string> text_fact(const json& facts, const char* pointer) {
  const json* fact = at(facts, pointer);
  if (!fact || !fact->is_string() || fact->get_ref<const std::string&>().empty())
    return std::nullopt;
  return fact->get<std::string>();
}

bool is_true_fact(const json& facts, const char* pointer) {
  const json* fact = at(facts, pointer);
  return fact && fact->is_boolean() && fact->get<bool>();
}

bool is_rotational(const store::DriveRecord& drive) {
  return !drive.stand_in && is_true_fact(drive.facts, "/rotational");
}

bool uses_host_cache(const store::ConfigurationRecord& configuration) {
  return configuration.cache == "writeback" || configuration.cache == "writethrough" ||
         configuration.cache == "unsafe";
}

}  // namespace vmtax::analysis
