// The plan for programs. Format, version 1 (keys are only ever added; sizes in bytes, times in
// nanoseconds):
//
//   format, version, name, seed
//   measure    runtime_ns, ramp_ns, rounds, visit, budget_ns (null: none)
//   drives[]   name, stand_in {directory, size_bytes, throttle {iops, bandwidth_bytes_per_second}
//   or
//              null} or path, size_bytes, logical_sector_bytes, span_bytes, writable,
//              regions[] {name, filesystem or null, offset_bytes, size_bytes},
//              footprints[] {name, region, backing, size_bytes},
//              configurations[] {name, footprint, then every knob by the scenario's name; null
//              where QEMU's default holds}
//   workloads[]  name, pattern, block_size_bytes, engine, direct, iodepths[]
//   blocks[]   index, drive, workload (null with visit: all), round,
//              visits[] {arm, footprint, configuration or null, cells[] {workload, iodepth, seed}}
//   estimate   measuring_ns, total_ns, filled_bytes, boots, samples
#include <nlohmann/json.hpp>

#include "plan/plan.hpp"

namespace vmtax::plan {
namespace {

using Json = nlohmann::ordered_json;

template <typename T, typename Read>
Json optional_json(const std::optional<T>& value, Read&& read) {
  return value ? Json(read(*value)) : Json(nullptr);
}

constexpr auto as_bytes = [](Bytes size) { return size.value; };
constexpr auto as_word = [](auto value) { return std::string{to_text(value)}; };
constexpr auto as_is = [](auto value) { return value; };

Json configuration_json(const PlannedConfiguration& planned) {
  const auto& c = planned.configuration;
  return {{"name", c.name},
          {"footprint", planned.footprint},
          {"backing", to_text(c.backing)},
          {"filesystem", optional_json(c.filesystem, as_word)},
          {"bus", to_text(c.bus)},
          {"cache", to_text(c.cache)},
          {"io", to_text(c.io)},
          {"iothread", c.iothread},
          {"queues", optional_json(c.queues, as_is)},
          {"queue_size", optional_json(c.queue_size, as_is)},
          {"discard", optional_json(c.discard, as_word)},
          {"detect_zeroes", optional_json(c.detect_zeroes, as_word)},
          {"preallocation", to_text(c.image.preallocation)},
          {"cluster_size", optional_json(c.image.cluster_size, as_bytes)},
          {"extended_l2", optional_json(c.image.extended_l2, as_is)},
          {"lazy_refcounts", optional_json(c.image.lazy_refcounts, as_is)},
          {"l2_cache_size", optional_json(c.l2_cache_size, as_bytes)},
          {"iotune", Json(c.iotune)}};
}

Json drive_json(const PlannedDrive& planned) {
  Json drive{{"name", planned.drive.name}};
  if (const auto* stand_in = std::get_if<scenario::StandIn>(&planned.drive.where)) {
    drive["stand_in"] = {
        {"directory", stand_in->directory.string()},
        {"size_bytes", stand_in->size.value},
        {"throttle", optional_json(stand_in->throttle, [](const auto& throttle) {
           return Json{{"iops", throttle.iops},
                       {"bandwidth_bytes_per_second", throttle.bandwidth_per_second.value}};
         })}};
  } else {
    drive["path"] = std::get<scenario::DevicePath>(planned.drive.where).path.string();
  }
  drive["size_bytes"] = planned.facts.size.value;
  drive["logical_sector_bytes"] = planned.facts.logical_sector.value;
  drive["span_bytes"] = planned.span.value;
  drive["writable"] = planned.writable;
  for (const char* list : {"regions", "footprints", "configurations"}) drive[list] = Json::array();
  for (const auto& region : planned.regions)
    drive["regions"].push_back({{"name", region.name},
                                {"filesystem", optional_json(region.filesystem, as_word)},
                                {"offset_bytes", region.offset.value},
                                {"size_bytes", region.size.value}});
  for (const auto& footprint : planned.footprints)
    drive["footprints"].push_back({{"name", footprint.name},
                                   {"region", footprint.region},
                                   {"backing", to_text(footprint.backing)},
                                   {"size_bytes", footprint.size.value}});
  for (const auto& configuration : planned.configurations)
    drive["configurations"].push_back(configuration_json(configuration));
  return drive;
}

Json block_json(const Plan& plan, const Block& block) {
  Json visits = Json::array();
  for (const auto& visit : block.visits) {
    Json cells = Json::array();
    for (const auto& cell : visit.cells)
      cells.push_back({{"workload", plan.workloads[cell.workload].name},
                       {"iodepth", cell.iodepth},
                       {"seed", cell.seed}});
    visits.push_back(
        {{"arm", to_text(visit.arm)},
         {"footprint", visit.footprint},
         {"configuration", visit.configuration.empty() ? Json(nullptr) : Json(visit.configuration)},
         {"cells", cells}});
  }
  return {{"index", block.index},
          {"drive", plan.drives[block.drive].drive.name},
          {"workload", block.workload ? Json(plan.workloads[*block.workload].name) : Json(nullptr)},
          {"round", block.round},
          {"visits", visits}};
}

Json measure_json(const scenario::Measure& measure) {
  return {{"runtime_ns", measure.runtime.count()},
          {"ramp_ns", measure.ramp.count()},
          {"rounds", measure.rounds},
          {"visit", to_text(measure.visit)},
          {"budget_ns",
           optional_json(measure.budget, [](Nanoseconds budget) { return budget.count(); })}};
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json json{{"format", "vmtax-plan"},
            {"version", 1},
            {"name", plan.name},
            {"seed", plan.seed},
            {"measure", measure_json(plan.measure)}};
  for (const char* list : {"drives", "workloads", "blocks"}) json[list] = Json::array();
  for (const auto& drive : plan.drives) json["drives"].push_back(drive_json(drive));
  for (const auto& workload : plan.workloads)
    json["workloads"].push_back({{"name", workload.name},
                                 {"pattern", protocol::to_text(workload.pattern)},
                                 {"block_size_bytes", workload.block_size.value},
                                 {"engine", protocol::to_text(workload.engine)},
                                 {"direct", workload.direct},
                                 {"iodepths", workload.iodepths}});
  for (const auto& block : plan.blocks) json["blocks"].push_back(block_json(plan, block));
  json["estimate"] = {{"measuring_ns", plan.estimate.measuring.count()},
                      {"total_ns", plan.estimate.total.count()},
                      {"filled_bytes", plan.estimate.filled.value},
                      {"boots", plan.estimate.boots},
                      {"samples", plan.estimate.samples}};
  return json.dump(2) + "\n";
}

}  // namespace vmtax::plan
