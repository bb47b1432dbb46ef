#include "analysis/facts.hpp"

#include <nlohmann/json.hpp>

namespace vmtax::analysis {

using nlohmann::json;

std::optional<std::string> text_fact(const json& facts, const char* pointer) {
  const json::json_pointer at(pointer);
  if (!facts.is_object() || !facts.contains(at) || !facts.at(at).is_string()) return std::nullopt;
  const auto text = facts.at(at).get<std::string>();
  return text.empty() ? std::nullopt : std::optional(text);
}

bool is_rotational(const store::DriveRecord& drive) {
  if (!drive.facts.is_object()) return false;
  const auto fact = drive.facts.find("rotational");
  return fact != drive.facts.end() && fact->is_boolean() && fact->get<bool>();
}

bool uses_host_cache(const store::ConfigurationRecord& configuration) {
  return configuration.cache == "writeback" || configuration.cache == "writethrough" ||
         configuration.cache == "unsafe";
}

}  // namespace vmtax::analysis
