#include "report/json.hpp"

#include <nlohmann/json.hpp>

#include "store/record_json.hpp"

namespace vmtax::report {
namespace {

using json = nlohmann::ordered_json;
using analysis::Estimate;

json number(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

json estimate_json(const std::optional<Estimate>& e) {
  if (!e) return {{"estimate", nullptr}, {"low", nullptr}, {"high", nullptr}, {"n", 0}};
  json object{{"estimate", e->value}, {"low", nullptr}, {"high", nullptr}, {"n", e->n}};
  if (e->interval) {
    object["low"] = e->interval->low;
    object["high"] = e->interval->high;
  }
  return object;
}

json arm_json(const std::optional<analysis::ArmFigures>& arm) {
  if (!arm) return nullptr;
  return {{"iops", number(arm->iops)},
          {"bytes_per_second", number(arm->bytes_per_second)},
          {"lat_mean_ns", number(arm->lat_mean_ns)},
          {"lat_p50_ns", number(arm->lat_p50_ns)},
          {"lat_p99_ns", number(arm->lat_p99_ns)},
          {"clat_mean_ns", number(arm->clat_mean_ns)},
          {"cpu_ns_per_io", number(arm->cpu_ns_per_io)},
          {"samples", arm->rounds}};
}

json shares_json(const analysis::Shares& shares) {
  return {{"total", estimate_json(shares.total)},
          {"virtualization", estimate_json(shares.virtualization)},
          {"storage_layer", estimate_json(shares.storage_layer)},
          {"format", estimate_json(shares.format)},
          {"format_partner",
           shares.format_partner.empty() ? json(nullptr) : json(shares.format_partner)}};
}

json key_json(const analysis::CellKey& key) {
  return {{"drive", key.drive},
          {"configuration", key.configuration},
          {"workload", key.workload},
          {"iodepth", key.iodepth}};
}

json cell_json(const analysis::Cell& cell) {
  json withheld = nullptr;
  if (cell.withheld)
    withheld = {{"finding", cell.withheld->finding}, {"reason", cell.withheld->reason}};
  return {{"drive", cell.key.drive},
          {"configuration", cell.key.configuration},
          {"workload", cell.key.workload},
          {"pattern", cell.pattern},
          {"block_size", cell.block_size.value},
          {"iodepth", cell.key.iodepth},
          {"rounds_asked", cell.rounds_asked},
          {"rounds_obtained", cell.rounds_obtained},
          {"arms",
           {{"bare", arm_json(cell.bare)},
            {"backing", arm_json(cell.backing)},
            {"guest", arm_json(cell.guest)}}},
          {"loss",
           {{"iops", estimate_json(cell.loss_iops)},
            {"bytes_per_second", estimate_json(cell.loss_bytes_per_second)}}},
          {"inflation",
           {{"lat_mean", estimate_json(cell.inflation_lat_mean)},
            {"lat_p99", estimate_json(cell.inflation_lat_p99)}}},
          {"shares", shares_json(cell.shares)},
          {"findings", cell.findings},
          {"withheld", withheld}};
}

json finding_json(const analysis::Finding& finding) {
  json occurrences = json::array();
  for (const auto& occurrence : finding.occurrences) {
    json cells = json::array();
    for (const auto& key : occurrence.cells) cells.push_back(key_json(key));
    occurrences.push_back({{"evidence", occurrence.evidence}, {"cells", cells}});
  }
  return {{"id", finding.rule->id},
          {"severity", to_text(finding.severity)},
          {"scope", finding.rule->of_run ? "run" : "cell"},
          {"title", finding.rule->title},
          {"means", finding.rule->means},
          {"remedy", finding.rule->remedy},
          {"occurrences", occurrences}};
}

json failure_json(const analysis::MissingSample& sample) {
  return {{"drive", sample.drive},
          {"arm", to_text(sample.missing.arm)},
          {"place", sample.place},
          {"workload", sample.workload},
          {"iodepth", sample.iodepth},
          {"round", sample.missing.round + 1},
          {"kind", to_text(sample.missing.kind)},
          {"reason", sample.missing.reason}};
}

json time_json(const store::TimeShare& time) {
  return {{"wall_ns", time.wall.count()},           {"measuring_ns", time.measuring.count()},
          {"booting_ns", time.booting.count()},     {"settling_ns", time.settling.count()},
          {"preparing_ns", time.preparing.count()}, {"ending_ns", time.ending.count()}};
}

template <typename Record>
json records_json(const std::vector<Record>& records) {
  json array = json::array();
  for (const Record& record : records) array.push_back(json(store::to_json(record)));
  return array;
}

/// When the first sample was taken.
json began_json(const analysis::Study& study) {
  const auto began = analysis::began_unix_ns(study);
  return began ? json(*began) : json(nullptr);
}

json run_json(const analysis::Study& study) {
  const auto& run = study.run;
  json object{{"id", run.id},
              {"name", run.name},
              {"began_unix_ns", began_json(study)},
              {"finished", study.finished},
              {"accelerator", run.accelerator},
              {"seed", run.seed},
              {"rounds", run.rounds},
              {"visit", run.visit},
              {"runtime_ns", run.runtime.count()},
              {"ramp_ns", run.ramp.count()},
              {"arm_means",
               "geometric over the paired rounds (all rounds where none was paired); cpu_ns_per_io "
               "arithmetic"},
              {"confidence", analysis::confidence_level}};
  for (const char* key : {"host", "guest", "qemu", "libvirt", "agent_sha256"})
    object[key] = nullptr;
  if (run.facts.is_object()) {
    for (const auto& [key, value] : run.facts.items()) object[key] = json(value);
  }
  object["drives"] = records_json(run.drives);
  object["configurations"] = records_json(run.configurations);
  object["workloads"] = records_json(run.workloads);
  object["time"] = time_json(study.time);
  object["scenario_text"] = run.scenario_text;
  return object;
}

}  // namespace

std::string to_json_text(const Model& model) {
  json cells = json::array(), findings = json::array(), failures = json::array();
  for (const auto& cell : model.analysis.cells) cells.push_back(cell_json(cell));
  for (const auto& finding : model.analysis.findings) findings.push_back(finding_json(finding));
  for (const auto& sample : model.analysis.missing) failures.push_back(failure_json(sample));
  const json report{{"format", "vmtax-report"},
                    {"version", json_version},
                    {"run", run_json(model.analysis.study)},
                    {"cells", cells},
                    {"findings", findings},
                    {"failures", failures}};
  return report.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace vmtax::report
