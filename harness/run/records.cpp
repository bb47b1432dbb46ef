#include "run/records.hpp"

#include "guest/domain_spec.hpp"

namespace vmtax::run {
namespace {

using nlohmann::json;

json optional_bytes(const std::optional<Bytes>& size) {
  return size ? json(size->value) : json(nullptr);
}

template <typename T>
json optional_value(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <typename Enum>
json optional_text(const std::optional<Enum>& value) {
  return value ? json(scenario::to_text(*value)) : json(nullptr);
}

json settings_of(const scenario::Configuration& c) {
  return {{"backing", scenario::to_text(c.backing)},
          {"filesystem", optional_text(c.filesystem)},
          {"bus", scenario::to_text(c.bus)},
          {"cache", scenario::to_text(c.cache)},
          {"io", scenario::to_text(c.io)},
          {"iothread", c.iothread},
          {"queues", optional_value(c.queues)},
          {"queue_size", optional_value(c.queue_size)},
          {"discard", optional_text(c.discard)},
          {"detect_zeroes", optional_text(c.detect_zeroes)},
          {"preallocation", scenario::to_text(c.image.preallocation)},
          {"cluster_size", optional_bytes(c.image.cluster_size)},
          {"extended_l2", optional_value(c.image.extended_l2)},
          {"lazy_refcounts", optional_value(c.image.lazy_refcounts)},
          {"l2_cache_size", optional_bytes(c.l2_cache_size)},
          {"iotune", c.iotune}};
}

store::ConfigurationRecord configuration_record(const plan::PlannedDrive& drive,
                                                const plan::PlannedConfiguration& planned,
                                                const GuestSetting& setting, const Places& places) {
  const auto& c = planned.configuration;
  store::ConfigurationRecord record;
  record.drive = drive.drive.name;
  record.name = c.name;
  record.footprint = planned.footprint;
  record.backing = scenario::to_text(c.backing);
  record.filesystem = c.filesystem ? scenario::to_text(*c.filesystem) : "";
  record.cache = scenario::to_text(c.cache);
  record.bus = scenario::to_text(c.bus);
  record.io = scenario::to_text(c.io);
  record.host_measures_backing = c.backing == scenario::Backing::raw;
  record.settings = settings_of(c);
  record.disk_xml = guest::disk_xml(
      disk_spec(c, places.at({drive.drive.name, planned.footprint}), setting.run_id));
  return record;
}

store::DriveRecord drive_record(const plan::PlannedDrive& drive, const drive::DeviceFacts& device) {
  store::DriveRecord record;
  record.name = drive.drive.name;
  record.size = drive.facts.size;
  record.span = drive.span;
  record.stand_in = std::holds_alternative<scenario::StandIn>(drive.drive.where);
  record.facts = drive::to_json(device);
  if (const auto* stand_in = std::get_if<scenario::StandIn>(&drive.drive.where);
      stand_in && stand_in->throttle)
    record.facts["throttle"] = {
        {"iops", stand_in->throttle->iops},
        {"bandwidth_bytes_per_second", stand_in->throttle->bandwidth_per_second.value}};
  return record;
}

store::WorkloadRecord workload_record(const scenario::Workload& workload) {
  return {workload.name,       std::string{protocol::to_text(workload.pattern)},
          workload.block_size, std::string{protocol::to_text(workload.engine)},
          workload.direct,     workload.iodepths};
}

// Loop devices get another number in each part of a run: only what stays is compared.
json drive_identity(const store::DriveRecord& drive) {
  return {{"size", drive.size.value},
          {"span", drive.span.value},
          {"serial", drive.facts.value("serial", "")}};
}

}  // namespace

store::RunRecord run_record(const scenario::Scenario& scenario, const plan::Plan& plan,
                            const GuestSetting& setting, const Provisioned& provisioned,
                            const MachineFacts& machine) {
  store::RunRecord record;
  record.id = setting.run_id;
  record.name = plan.name;
  record.scenario_text = scenario.text;
  record.seed = plan.seed;
  record.rounds = plan.measure.rounds;
  record.visit = scenario::to_text(plan.measure.visit);
  record.runtime = plan.measure.runtime;
  record.ramp = plan.measure.ramp;
  record.accelerator = setting.accelerator == guest::Accelerator::kvm ? "kvm" : "tcg";
  for (const auto& drive : plan.drives) {
    record.drives.push_back(drive_record(drive, provisioned.devices.at(drive.drive.name)));
    for (const auto& configuration : drive.configurations)
      record.configurations.push_back(
          configuration_record(drive, configuration, setting, provisioned.places));
  }
  for (const auto& workload : plan.workloads) record.workloads.push_back(workload_record(workload));
  record.facts = {{"host", machine.host},
                  {"qemu", machine.hypervisor.at("qemu")},
                  {"libvirt", machine.hypervisor.at("libvirt")},
                  {"libvirt_uri", machine.hypervisor.at("uri")},
                  {"agent_sha256", machine.agent_sha256}};
  record.identity = {{"scenario", scenario.text},
                     {"agent", machine.agent_sha256},
                     {"host kernel", machine.host.at("kernel").at("release")},
                     {"guest kernel", setting.image.kernel_release},
                     {"QEMU", machine.hypervisor.at("qemu")},
                     {"libvirt", machine.hypervisor.at("libvirt")},
                     {"accelerator", record.accelerator}};
  for (const auto& drive : record.drives)
    record.identity["drive " + drive.name] = drive_identity(drive);
  return record;
}

std::vector<std::string> identity_changes(const store::RunRecord& before,
                                          const store::RunRecord& now) {
  std::vector<std::string> changes;
  for (const auto& [what, value] : now.identity.items()) {
    const auto was = before.identity.value(what, json{});
    if (was == value) continue;
    changes.push_back(what == "scenario" ? "the scenario was edited"
                                         : what + " was " + was.dump() + ", is " + value.dump());
  }
  return changes;
}

}  // namespace vmtax::run
