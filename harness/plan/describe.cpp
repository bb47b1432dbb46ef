#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "plan/plan.hpp"

namespace vmtax::plan {
namespace {

constexpr std::size_t shown_blocks = 12;

/// As wide as its longest cells: a plan is read once, and nothing of it may be cut.
class Table {
 public:
  explicit Table(std::initializer_list<std::string> titles) {
    for (const auto& title : titles) columns_.push_back({title});
  }
  void add(std::initializer_list<std::string> cells) {
    auto& row = rows_.emplace_back();
    for (const auto& cell : cells) row.push_back({cell});
  }
  std::string text() const { return render_table(columns_, rows_, {.rule = true}); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<TableCell>> rows_;
};

// Sizes for reading: 1.25 GiB rather than 1280 MiB or an exact number of bytes.
std::string rounded(Bytes size) {
  const double value = static_cast<double>(size.value);
  if (size >= gib(1)) return fmt::format("{:.2f} GiB", value / static_cast<double>(gib(1).value));
  return fmt::format("{:.0f} MiB", value / static_cast<double>(mib(1).value));
}

std::string rounded(Nanoseconds time) {
  const auto seconds = std::chrono::round<std::chrono::seconds>(time).count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

std::string origin(const PlannedDrive& planned) {
  if (const auto* stand_in = std::get_if<scenario::StandIn>(&planned.drive.where)) {
    std::string text = "stand-in in " + stand_in->directory.string();
    if (!stand_in->throttle) return text;
    if (stand_in->throttle->iops)
      text += fmt::format(", capped at {} IOPS", stand_in->throttle->iops);
    if (stand_in->throttle->bandwidth_per_second.value)
      text +=
          fmt::format(", capped at {}/s", format_bytes(stand_in->throttle->bandwidth_per_second));
    return text;
  }
  const auto& device = std::get<scenario::DevicePath>(planned.drive.where);
  return device.path.string() +
         (device.erase ? ", ALL DATA ON IT WILL BE DESTROYED" : ", read only");
}

// The knobs that are not at QEMU's or vmtax's default.
std::string settings(const scenario::Configuration& c) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value);
  };
  if (c.iothread) add("iothread", "true");
  if (c.queues) add("queues", std::to_string(*c.queues));
  if (c.queue_size) add("queue_size", std::to_string(*c.queue_size));
  if (c.discard) add("discard", std::string{to_text(*c.discard)});
  if (c.detect_zeroes) add("detect_zeroes", std::string{to_text(*c.detect_zeroes)});
  if (c.l2_cache_size) add("l2_cache_size", format_bytes(*c.l2_cache_size));
  for (const auto& [name, limit] : c.iotune) add(name, std::to_string(limit));
  return text.empty() ? "-" : text;
}

std::string describe(const PlannedDrive& planned) {
  std::string text = fmt::format("drive {}: {}\n  size {}, sectors of {}, span {} in every arm\n\n",
                                 planned.drive.name, origin(planned), rounded(planned.facts.size),
                                 format_bytes(planned.facts.logical_sector), rounded(planned.span));
  Table regions({"region", "begins at", "size", "footprints"});
  for (const auto& region : planned.regions) {
    std::string stored;
    for (const auto& footprint : planned.footprints)
      if (footprint.region == region.name)
        stored += fmt::format("{}{}", stored.empty() ? "" : ", ", footprint.name);
    regions.add({region.name, rounded(region.offset), rounded(region.size), stored});
  }
  Table configurations({"configuration", "footprint", "bus", "cache", "io", "further settings"});
  for (const auto& [c, footprint] : planned.configurations)
    configurations.add({c.name, footprint, std::string{to_text(c.bus)},
                        std::string{to_text(c.cache)}, std::string{to_text(c.io)}, settings(c)});
  return text + regions.text() + "\n" + configurations.text() + "\n";
}

std::string workload_table(const Plan& plan) {
  Table workloads({"workload", "pattern", "block size", "iodepth", "engine", "direct"});
  for (const auto& workload : plan.workloads)
    workloads.add(
        {workload.name, std::string{protocol::to_text(workload.pattern)},
         format_bytes(workload.block_size), fmt::format("{}", fmt::join(workload.iodepths, " ")),
         std::string{protocol::to_text(workload.engine)}, workload.direct ? "yes" : "no"});
  return workloads.text() + "\n";
}

std::string arm_text(const Visit& visit) {
  if (visit.arm == ArmKind::bare && visit.footprint == "bare") return "bare";
  if (visit.arm == ArmKind::guest) return "guest " + visit.configuration;
  return fmt::format("{} {}", to_text(visit.arm), visit.footprint);
}

std::string order_table(const Plan& plan) {
  Table order({"block", "round", "drive", "workload", "visits in their order"});
  for (const auto& block : plan.blocks) {
    if (block.index == shown_blocks) break;
    // One visit a line: with many configurations a block would be wider than any terminal.
    for (std::size_t i = 0; i < block.visits.size(); ++i) {
      const auto visit = arm_text(block.visits[i]);
      if (i > 0)
        order.add({"", "", "", "", visit});
      else
        order.add({std::to_string(block.index + 1), std::to_string(block.round + 1),
                   plan.drives[block.drive].drive.name,
                   block.workload ? plan.workloads[*block.workload].name : "all", visit});
    }
  }
  std::string text = order.text();
  if (plan.blocks.size() > shown_blocks)
    text += fmt::format("  ... and {} more blocks (all of them: --json)\n",
                        plan.blocks.size() - shown_blocks);
  return text + "\n";
}

std::string summary(const Plan& plan) {
  const auto& estimate = plan.estimate;
  const auto& measure = plan.measure;
  std::string text = fmt::format(
      "{} samples of {} after a ramp of {}, in {} blocks over {} rounds, with {} boots\n",
      estimate.samples, format_duration(measure.runtime), format_duration(measure.ramp),
      plan.blocks.size(), measure.rounds, estimate.boots);
  text += fmt::format("time: about {}, of which {} measuring", rounded(estimate.total),
                      rounded(estimate.measuring));
  if (measure.budget)
    text += fmt::format("; no block begins after {}", format_duration(*measure.budget));
  const bool writing = std::ranges::any_of(
      plan.workloads, [](const auto& workload) { return protocol::writes(workload.pattern); });
  text += fmt::format("\nwritten: {} to fill what is read{}\n", rounded(estimate.filled),
                      writing ? ", then as much as the write workloads manage" : "");
  return text;
}

}  // namespace

std::string describe(const Plan& plan) {
  std::string text = fmt::format("plan of {}, seed {}\n\n", plan.name, plan.seed);
  for (const auto& drive : plan.drives) text += describe(drive);
  return text + workload_table(plan) + order_table(plan) + summary(plan);
}

}  // namespace vmtax::plan
