#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "scenario/build.hpp"
#include "scenario/combination.hpp"
#include "scenario/fault.hpp"
#include "scenario/values.hpp"

namespace vmtax::scenario {

Guest build_guest(const Node& section) {
  Guest guest;
  guest.mark = section.mark;
  if (const Node* node = section.find("image")) guest.image = node->text;
  if (const Node* node = section.find("kernel")) guest.kernel = node->text;
  if (const Node* node = section.find("accelerator"))
    guest.accelerator = word_value(*node, accelerator_words);
  if (const Node* node = section.find("vcpus"))
    guest.vcpus = static_cast<std::uint32_t>(whole_of(*node));
  if (const Node* node = section.find("memory")) guest.memory = size_of(*node);
  if (const Node* node = section.find("connection")) guest.connection = node->text;
  return guest;
}

namespace {

// The I/O kernel holds one buffer for each request in flight, in the guest too; a kernel takes at
// most 1 GiB of them in one registration.
void check_buffers(const Workload& workload, const Node& node, const Guest& guest) {
  const Bytes most = std::min(guest.memory / 2, gib(1));
  for (const auto depth : workload.iodepths) {
    const Bytes buffers = workload.block_size * depth;
    if (buffers <= most) continue;
    const Node* given = node.find("iodepth");
    fail(given ? given->mark : node.mark,
         fmt::format("iodepth: {} requests of {} need {} for buffers", depth,
                     format_bytes(workload.block_size), format_bytes(buffers)),
         fmt::format("block_size times iodepth up to {} (half of guest.memory, and at most 1GiB)",
                     format_bytes(most)));
  }
}

Workload build_workload(const Node& node, const Guest& guest) {
  Combination given{&workload_section(), node.mark, {}};
  for (const auto& entry : node.entries) given.values[entry.key] = &entry.value;

  Workload workload;
  workload.mark = node.mark;
  workload.name = node.find("name")->text;
  workload.pattern = word_value(*node.find("pattern"), pattern_words);
  if (const Node* size = node.find("block_size")) workload.block_size = size_of(*size);
  if (const Node* engine = node.find("engine")) workload.engine = word_value(*engine, engine_words);
  if (const Node* direct = node.find("direct")) workload.direct = flag_of(*direct);
  if (const Node* depths = node.find("iodepth")) {
    for (const Node* depth : items_of(*depths)) {
      workload.iodepths.push_back(static_cast<std::uint32_t>(whole_of(*depth)));
      given.values["iodepth"] = depth;
      check_rules(given, "");
    }
  } else {
    workload.iodepths = {1};
  }
  check_buffers(workload, node, guest);
  return workload;
}

}  // namespace

std::vector<Workload> build_workloads(const Node& list, const Guest& guest) {
  std::vector<Workload> workloads;
  std::set<std::string> names;
  for (const auto& item : list.items) {
    workloads.push_back(build_workload(item, guest));
    const auto& name = workloads.back().name;
    if (!names.insert(name).second)
      fail(item.find("name")->mark,
           fmt::format("workload name '{}' is given twice", printable(name)),
           "a name of its own for each workload");
  }
  return workloads;
}

Measure build_measure(const Node& section) {
  Measure measure;
  measure.mark = section.mark;
  if (const Node* node = section.find("runtime")) measure.runtime = duration_of(*node);
  if (const Node* node = section.find("ramp")) measure.ramp = duration_of(*node);
  if (const Node* node = section.find("rounds"))
    measure.rounds = static_cast<std::uint32_t>(whole_of(*node));
  if (const Node* node = section.find("visit")) measure.visit = word_value(*node, visit_words);
  if (const Node* node = section.find("seed")) measure.seed = whole_of(*node);
  if (const Node* node = section.find("budget")) measure.budget = duration_of(*node);
  return measure;
}

void check_whole(const Scenario& scenario) {
  const auto writing = [&]() -> const Workload* {
    for (const auto& workload : scenario.workloads)
      if (protocol::writes(workload.pattern)) return &workload;
    return nullptr;
  }();
  const auto stored = [&]() -> const Configuration* {
    for (const auto& configuration : scenario.configurations)
      if (configuration.backing != Backing::passthrough) return &configuration;
    return nullptr;
  }();
  for (const auto& drive : scenario.drives) {
    const auto* device = std::get_if<DevicePath>(&drive.where);
    if (device && !device->erase && (writing || stored)) {
      const auto& needed_by = writing ? writing->name : stored->name;
      fail(drive.mark,
           fmt::format("drive '{}' has no 'erase', but {} '{}' writes to it", printable(drive.name),
                       writing ? "workload" : "configuration", printable(needed_by)),
           "erase: with the drive's own serial as consent to destroy its data; without it read and "
           "randread on passthrough only");
    }
    for (const auto& workload : scenario.workloads)
      if (drive.span && workload.block_size > *drive.span)
        fail(workload.mark,
             fmt::format("block_size {} of workload '{}' is larger than the span {} of drive '{}'",
                         format_bytes(workload.block_size), printable(workload.name),
                         format_bytes(*drive.span), printable(drive.name)),
             fmt::format("a block_size up to {}", format_bytes(*drive.span)));
  }
}

}  // namespace vmtax::scenario
