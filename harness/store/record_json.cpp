#include "store/record_json.hpp"

#include <nlohmann/json.hpp>

namespace vmtax::store {
namespace {

using nlohmann::json;

json drive_json(const DriveRecord& drive) {
  return {{"name", drive.name},
          {"size", drive.size.value},
          {"span", drive.span.value},
          {"stand_in", drive.stand_in},
          {"facts", drive.facts}};
}

DriveRecord drive_from(const json& j) {
  DriveRecord drive;
  drive.name = j.at("name");
  drive.size = Bytes{j.at("size").get<std::uint64_t>()};
  drive.span = Bytes{j.at("span").get<std::uint64_t>()};
  drive.stand_in = j.at("stand_in");
  drive.facts = j.at("facts");
  return drive;
}

json configuration_json(const ConfigurationRecord& c) {
  return {{"drive", c.drive},
          {"name", c.name},
          {"footprint", c.footprint},
          {"backing", c.backing},
          {"filesystem", c.filesystem},
          {"cache", c.cache},
          {"bus", c.bus},
          {"io", c.io},
          {"host_measures_backing", c.host_measures_backing},
          {"settings", c.settings},
          {"disk_xml", c.disk_xml}};
}

ConfigurationRecord configuration_from(const json& j) {
  ConfigurationRecord c;
  c.drive = j.at("drive");
  c.name = j.at("name");
  c.footprint = j.at("footprint");
  c.backing = j.at("backing");
  c.filesystem = j.at("filesystem");
  c.cache = j.at("cache");
  c.bus = j.at("bus");
  c.io = j.at("io");
  c.host_measures_backing = j.at("host_measures_backing");
  c.settings = j.at("settings");
  c.disk_xml = j.at("disk_xml");
  return c;
}

json workload_json(const WorkloadRecord& w) {
  return {{"name", w.name},     {"pattern", w.pattern}, {"block_size", w.block_size.value},
          {"engine", w.engine}, {"direct", w.direct},   {"iodepths", w.iodepths}};
}

WorkloadRecord workload_from(const json& j) {
  WorkloadRecord w;
  w.name = j.at("name");
  w.pattern = j.at("pattern");
  w.block_size = Bytes{j.at("block_size").get<std::uint64_t>()};
  w.engine = j.at("engine");
  w.direct = j.at("direct");
  w.iodepths = j.at("iodepths").get<std::vector<std::uint32_t>>();
  return w;
}

}  // namespace

json to_json(const RunRecord& run) {
  json drives = json::array(), configurations = json::array(), workloads = json::array();
  for (const auto& drive : run.drives) drives.push_back(drive_json(drive));
  for (const auto& c : run.configurations) configurations.push_back(configuration_json(c));
  for (const auto& workload : run.workloads) workloads.push_back(workload_json(workload));
  return {{"id", run.id},
          {"name", run.name},
          {"scenario_text", run.scenario_text},
          {"seed", run.seed},
          {"rounds", run.rounds},
          {"visit", run.visit},
          {"runtime_ns", run.runtime.count()},
          {"ramp_ns", run.ramp.count()},
          {"accelerator", run.accelerator},
          {"identity", run.identity},
          {"drives", drives},
          {"configurations", configurations},
          {"workloads", workloads}};
}

RunRecord run_from_json(const json& j) {
  RunRecord run;
  run.id = j.at("id");
  run.name = j.at("name");
  run.scenario_text = j.at("scenario_text");
  run.seed = j.at("seed");
  run.rounds = j.at("rounds");
  run.visit = j.at("visit");
  run.runtime = Nanoseconds{j.at("runtime_ns").get<std::int64_t>()};
  run.ramp = Nanoseconds{j.at("ramp_ns").get<std::int64_t>()};
  run.accelerator = j.at("accelerator");
  run.identity = j.at("identity");
  for (const auto& drive : j.at("drives")) run.drives.push_back(drive_from(drive));
  for (const auto& c : j.at("configurations")) run.configurations.push_back(configuration_from(c));
  for (const auto& workload : j.at("workloads")) run.workloads.push_back(workload_from(workload));
  return run;
}

}  // namespace vmtax::store
