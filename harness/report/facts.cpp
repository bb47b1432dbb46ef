#include "report/facts.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "analysis/numbers.hpp"

namespace vmtax::report {
namespace {

using nlohmann::json;

std::string plain(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "";
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Nested objects as dotted names.
void flatten(const json& value, const std::string& name, std::map<std::string, std::string>& into) {
  if (value.is_object() && !value.empty()) {
    for (const auto& [key, member] : value.items())
      flatten(member, name.empty() ? key : name + "." + key, into);
  } else if (!name.empty()) {
    into[name] = plain(value);
  }
}

std::map<std::string, std::string> flat(const json& facts, const char* side) {
  std::map<std::string, std::string> values;
  if (facts.is_object() && facts.contains(side)) flatten(facts.at(side), "", values);
  return values;
}

/// Two machines never have these in common, and nothing follows from it.
bool differs_by_nature(const std::string& name) {
  return name == "steal_ticks" || name == "target.path" || name == "target.kind";
}

}  // namespace

std::vector<FactText> run_facts(const analysis::Study& study) {
  const auto& run = study.run;
  std::vector<FactText> rows;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) rows.push_back({name, value, "", false});
  };
  add("run", run.id);
  add("accelerator", run.accelerator);
  add("seed", std::to_string(run.seed));
  add("rounds", std::to_string(run.rounds));
  add("runtime", format_duration(run.runtime));
  add("ramp", format_duration(run.ramp));
  add("visit", run.visit);
  if (run.facts.is_object()) {
    for (const auto& [key, value] : run.facts.items()) {
      if (key == "host" || key == "guest") continue;
      std::map<std::string, std::string> values;
      flatten(value, key, values);
      for (const auto& [name, text] : values) add(name, text);
    }
  }
  for (const auto& drive : run.drives) {
    const std::string name = "drive " + drive.name;
    add(name, (drive.stand_in ? "stand-in (a file behind a loop device), " : "") +
                  analysis::size(drive.size) + ", span " + analysis::size(drive.span));
    std::map<std::string, std::string> values;
    flatten(drive.facts, name, values);
    for (const auto& [key, text] : values) add(key, text);
  }
  return rows;
}

std::vector<FactText> side_facts(const analysis::Study& study) {
  std::map<std::string, FactText> rows;
  for (const auto& [name, value] : flat(study.run.facts, "host")) rows[name].host = value;
  for (const auto& [name, value] : flat(study.run.facts, "guest")) rows[name].guest = value;
  std::vector<FactText> list;
  for (auto& [name, row] : rows) {
    row.name = name;
    row.differs = !differs_by_nature(name) && !row.host.empty() && !row.guest.empty() &&
                  row.host != row.guest;
    list.push_back(row);
  }
  return list;
}

}  // namespace vmtax::report
