#include "report/facts.hpp"

#include <ctime>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>
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

bool is_size(std::string_view name) {
  return name == "size" || name.ends_with(".size") || name.ends_with("_bytes");
}

/// Nested objects as dotted names.
void flatten(const json& value, const std::string& name, std::map<std::string, std::string>& into) {
  if (value.is_object() && !value.empty()) {
    for (const auto& [key, member] : value.items())
      flatten(member, name.empty() ? key : name + "." + key, into);
  } else if (!name.empty()) {
    into[name] = is_size(name) && value.is_number_unsigned()
                     ? plain(value) + " (" + analysis::size(Bytes{value.get<std::uint64_t>()}) + ")"
                     : plain(value);
  }
}

std::map<std::string, std::string> flat(const json& facts, const char* side) {
  std::map<std::string, std::string> values;
  if (facts.is_object() && facts.contains(side)) flatten(facts.at(side), "", values);
  return values;
}

/// Two machines never have these in common, and nothing follows from it: the span, which is equal,
/// decides how much of a target is used.
bool differs_by_nature(const std::string& name) {
  return name == "steal_ticks" || name == "target.path" || name == "target.kind" ||
         name == "target.size";
}

bool is_unaffected(const FactText& fact) {
  const auto calm = [](const std::string& text) { return text.empty() || text == "Not affected"; };
  return fact.name.starts_with("mitigations.") && calm(fact.host) && calm(fact.guest);
}

/// "2026-11-30 18:05:40 UTC"
std::string moment(std::int64_t unix_ns) {
  const std::time_t seconds = unix_ns / 1'000'000'000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts);
}

}  // namespace

std::vector<FactText> run_facts(const analysis::Study& study) {
  const auto& run = study.run;
  std::vector<FactText> rows;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) rows.push_back({name, value, "", false});
  };
  add("run", run.id);
  if (const auto began = analysis::began_unix_ns(study)) add("began", moment(*began));
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
  std::size_t unaffected = 0;
  for (auto& [name, row] : rows) {
    row.name = name;
    if (is_unaffected(row)) {
      ++unaffected;
      continue;
    }
    row.differs = !differs_by_nature(name) && !row.host.empty() && !row.guest.empty() &&
                  row.host != row.guest;
    list.push_back(row);
  }
  if (unaffected > 0)
    list.push_back(
        {fmt::format("mitigations, {} more", unaffected), "Not affected", "Not affected", false});
  return list;
}

}  // namespace vmtax::report
