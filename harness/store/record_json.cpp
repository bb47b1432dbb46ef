#include "store/record_json.hpp"

#include <concepts>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace vmtax::store {
namespace {

using nlohmann::json;

template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

// Each record names its keys once, for writing and for reading.

template <Is<DriveRecord> Drive, typename Field>
void each_field(Drive& drive, const Field& field) {
  field("name", drive.name);
  field("size", drive.size);
  field("span", drive.span);
  field("stand_in", drive.stand_in);
  field("facts", drive.facts);
}

template <Is<ConfigurationRecord> Configuration, typename Field>
void each_field(Configuration& c, const Field& field) {
  field("drive", c.drive);
  field("name", c.name);
  field("footprint", c.footprint);
  field("backing", c.backing);
  field("filesystem", c.filesystem);
  field("cache", c.cache);
  field("bus", c.bus);
  field("io", c.io);
  field("host_measures_backing", c.host_measures_backing);
  field("settings", c.settings);
  field("disk_xml", c.disk_xml);
}

template <Is<WorkloadRecord> Workload, typename Field>
void each_field(Workload& workload, const Field& field) {
  field("name", workload.name);
  field("pattern", workload.pattern);
  field("block_size", workload.block_size);
  field("engine", workload.engine);
  field("direct", workload.direct);
  field("iodepths", workload.iodepths);
}

template <Is<RunRecord> Run, typename Field>
void each_field(Run& run, const Field& field) {
  field("id", run.id);
  field("name", run.name);
  field("scenario_text", run.scenario_text);
  field("seed", run.seed);
  field("rounds", run.rounds);
  field("visit", run.visit);
  field("runtime_ns", run.runtime);
  field("ramp_ns", run.ramp);
  field("accelerator", run.accelerator);
  field("identity", run.identity);
  field("drives", run.drives);
  field("configurations", run.configurations);
  field("workloads", run.workloads);
}

template <typename T>
json written(const T& value) {
  return value;
}
json written(const Bytes& value) {
  return value.value;
}
json written(const Nanoseconds& value) {
  return value.count();
}
template <typename Record>
requires std::is_class_v<Record> json written(const std::vector<Record>& records);

template <typename Record>
json written_record(const Record& record) {
  json object = json::object();
  each_field(record, [&](const char* key, const auto& value) { object[key] = written(value); });
  return object;
}
template <typename Record>
requires std::is_class_v<Record> json written(const std::vector<Record>& records) {
  json array = json::array();
  for (const Record& record : records) array.push_back(written_record(record));
  return array;
}

template <typename T>
void read(const json& from, T& into) {
  from.get_to(into);
}
void read(const json& from, json& into) {
  into = from;
}
void read(const json& from, Bytes& into) {
  into = Bytes{from.get<std::uint64_t>()};
}
void read(const json& from, Nanoseconds& into) {
  into = Nanoseconds{from.get<std::int64_t>()};
}
template <typename Record>
requires std::is_class_v<Record>
void read(const json& from, std::vector<Record>& into);

template <typename Record>
void read_record(const json& from, Record& into) {
  each_field(into, [&](const char* key, auto& value) { read(from.at(key), value); });
}
template <typename Record>
requires std::is_class_v<Record>
void read(const json& from, std::vector<Record>& into) {
  for (const json& item : from) read_record(item, into.emplace_back());
}

}  // namespace

json to_json(const DriveRecord& drive) {
  return written_record(drive);
}

json to_json(const ConfigurationRecord& configuration) {
  return written_record(configuration);
}

json to_json(const WorkloadRecord& workload) {
  return written_record(workload);
}

json to_json(const RunRecord& run) {
  return written_record(run);
}

RunRecord run_from_json(const json& from) {
  RunRecord run;
  read_record(from, run);
  return run;
}

}  // namespace vmtax::store
