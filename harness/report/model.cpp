#include "report/model.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "analysis/numbers.hpp"
#include "report/charts.hpp"
#include "report/facts.hpp"

namespace vmtax::report {
namespace {

using analysis::Estimate;

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string ratio_text(const std::optional<Estimate>& estimate, bool withheld) {
  if (estimate) return analysis::factor(*estimate);
  return withheld ? withheld_text : absent;
}

std::string share_text(const std::optional<Estimate>& estimate, bool withheld) {
  if (estimate) return analysis::percent(*estimate);
  return withheld ? withheld_text : absent;
}

std::string point_text(const std::string& workload, std::uint32_t iodepth) {
  return fmt::format("{} depth {}", workload, iodepth);
}

CellText cell_text(const analysis::Cell& cell) {
  const bool withheld = cell.withheld.has_value();
  CellText text;
  text.cell = &cell;
  text.point = point_text(cell.key.workload, cell.key.iodepth);
  text.bare = speed(cell.pattern, cell.bare);
  text.backing = speed(cell.pattern, cell.backing);
  text.guest = speed(cell.pattern, cell.guest);
  if (cell.loss_iops) {
    text.loss = analysis::percent(cell.loss_iops->value);
    text.loss_interval = analysis::percent_interval(*cell.loss_iops);
  } else {
    text.loss = withheld ? withheld_text : absent;
  }
  text.inflation_mean = ratio_text(cell.inflation_lat_mean, withheld);
  text.inflation_p99 = ratio_text(cell.inflation_lat_p99, withheld);
  text.share_total = share_text(cell.shares.total, withheld);
  text.share_virtualization = share_text(cell.shares.virtualization, withheld);
  text.share_storage_layer = share_text(cell.shares.storage_layer, withheld && cell.backing);
  text.share_format = share_text(cell.shares.format, false);
  text.rounds = fmt::format("{}/{}", cell.rounds_obtained, cell.rounds_asked);
  return text;
}

std::string where_text(const std::vector<analysis::CellKey>& cells, bool name_drive) {
  if (cells.empty()) return "the whole run";
  std::vector<std::string> names;
  for (const auto& cell : cells) {
    const std::string name = (name_drive ? cell.drive + " " : "") + cell.configuration;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (cells.size() == 1) return names[0] + ": " + point_text(cells[0].workload, cells[0].iodepth);
  return fmt::format("{} ({} cells)", fmt::join(names, ", "), cells.size());
}

/// In the order of the cells; cells of one reason together.
std::vector<WithheldText> withheld_texts(const std::vector<analysis::Cell>& cells,
                                         bool name_drive) {
  std::vector<std::pair<std::string, std::vector<analysis::CellKey>>> reasons;
  for (const auto& cell : cells) {
    if (!cell.withheld) continue;
    auto at = std::find_if(reasons.begin(), reasons.end(),
                           [&](const auto& known) { return known.first == cell.withheld->reason; });
    if (at == reasons.end()) at = reasons.insert(at, {cell.withheld->reason, {}});
    at->second.push_back(cell.key);
  }
  std::vector<WithheldText> texts;
  for (const auto& [reason, keys] : reasons)
    texts.push_back({where_text(keys, name_drive), reason});
  return texts;
}

FindingText finding_text(const analysis::Finding& finding, bool name_drive) {
  FindingText text{std::string(finding.rule->id),     std::string(to_text(finding.severity)),
                   std::string(finding.rule->title),  std::string(finding.rule->means),
                   std::string(finding.rule->remedy), {}};
  for (const auto& occurrence : finding.occurrences)
    text.occurrences.push_back({occurrence.evidence, where_text(occurrence.cells, name_drive)});
  return text;
}

MissingText missing_text(const analysis::MissingSample& sample) {
  return {std::string(to_text(sample.missing.kind)),
          fmt::format("{}, {} arm, {}: {}, round {}", sample.drive, to_text(sample.missing.arm),
                      sample.place, point_text(sample.workload, sample.iodepth),
                      sample.missing.round + 1),
          sample.missing.reason};
}

std::string duration(Nanoseconds time) {
  return analysis::latency(static_cast<double>(time.count()));
}

std::string measured_text(const store::RunRecord& run) {
  std::set<std::string> configurations;
  for (const auto& c : run.configurations) configurations.insert(c.name);
  std::vector<std::string> drives;
  for (const auto& drive : run.drives)
    drives.push_back(drive.name + (drive.stand_in ? " (stand-in)" : ""));
  return fmt::format("{} {}; {}, {}; {} of {} after a ramp of {}",
                     drives.size() == 1 ? "Drive" : "Drives", fmt::join(drives, ", "),
                     plural(configurations.size(), "configuration"),
                     plural(run.workloads.size(), "workload"), plural(run.rounds, "round"),
                     duration(run.runtime), duration(run.ramp));
}

std::string accelerator_text(const store::RunRecord& run) {
  if (run.accelerator == "kvm") return "Guests ran under KVM";
  if (run.accelerator == "tcg")
    return "EMULATED: guests ran under TCG, not KVM; these are not the losses of real "
           "virtualization";
  return "Guests ran under " + run.accelerator;
}

std::string time_text(const store::TimeShare& time) {
  if (time.wall.count() <= 0) return "";
  const auto share = [&](Nanoseconds part) {
    return analysis::percent(static_cast<double>(part.count()) /
                             static_cast<double>(time.wall.count()));
  };
  const Nanoseconds known =
      time.measuring + time.booting + time.settling + time.preparing + time.ending;
  return fmt::format(
      "measuring {} of {} (ramp included); booting {}, settling {}, preparing {}, ending {}, "
      "other {}",
      share(time.measuring), analysis::wall_time(time.wall), share(time.booting),
      share(time.settling), share(time.preparing), share(time.ending),
      share(std::max(time.wall - known, Nanoseconds{0})));
}

std::vector<std::string> method_text(const analysis::Study& study) {
  return {
      "The same I/O program runs in up to three places, called arms: on the host on the drive "
      "itself (bare), on the host on the raw image file (backing), and in the guest on the disk "
      "that it was given (guest).",
      fmt::format(
          "In each of {} every arm of every configuration of a drive takes its turn in random "
          "order (seed {}), on a span of the same size, in the same pattern, at different "
          "offsets. A guest's result is paired only with host results of the same round.",
          plural(study.run.rounds, "round"), study.run.seed),
      "Loss is 1 - guest/bare of IOPS (or bytes per second, which for one block size is the same). "
      "Inflation is guest/bare of total latency, from the moment an I/O is meant to start until "
      "its result is collected. A ratio is taken per round; shown are their geometric mean and the "
      "95 % interval of Student's t on the logarithms. With one round there is no interval. A "
      "negative loss means that the guest was faster; it is never cut off at zero. Of many "
      "intervals, about one in twenty misses the true value by chance.",
      "Shares split the total: virtualization = guest/backing, storage layer = backing/bare, "
      "format = guest on qcow2 / guest on raw with all else equal. They are ratios of IOPS: 100 % "
      "costs nothing.",
      "Speeds and latencies of an arm are geometric means over the rounds that were paired, CPU "
      "time per I/O the arithmetic mean. CPU time is that of the I/O program, as its own side "
      "counts it: what QEMU spends on the host for a guest is not in it. 1 MB/s is 1,000,000 bytes "
      "per second. A measurement that failed or is missing is listed with its reason and counts as "
      "nothing, not as zero."};
}

}  // namespace

bool is_random(const std::string& pattern) {
  return pattern.rfind("rand", 0) == 0;
}

std::string speed(const std::string& pattern, const std::optional<analysis::ArmFigures>& figures) {
  if (!figures || !figures->iops || !figures->bytes_per_second) return absent;
  return is_random(pattern) ? analysis::io_rate(*figures->iops)
                            : analysis::byte_rate(*figures->bytes_per_second);
}

bool is_resolved(const analysis::Cell& cell) {
  const auto& loss = cell.loss_iops;
  return loss && loss->interval && (loss->interval->low > 0 || loss->interval->high < 0);
}

std::size_t count(const Model& model, analysis::Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(model.analysis.findings.begin(), model.analysis.findings.end(),
                    [&](const auto& finding) { return finding.severity == severity; }));
}

Model make_model(analysis::Analysis analysed) {
  Model model;
  model.analysis = std::move(analysed);
  const auto& study = model.analysis.study;
  model.title = study.run.name;
  model.measured = measured_text(study.run);
  model.accelerator = accelerator_text(study.run);
  model.emulated = study.run.accelerator == "tcg";
  model.time = time_text(study.time);
  for (const auto& cell : model.analysis.cells) model.cells.push_back(cell_text(cell));
  const bool name_drive = study.run.drives.size() > 1;
  for (const auto& finding : model.analysis.findings)
    model.findings.push_back(finding_text(finding, name_drive));
  model.withheld = withheld_texts(model.analysis.cells, name_drive);
  for (const auto& sample : model.analysis.missing) model.missing.push_back(missing_text(sample));
  model.run_facts = run_facts(study);
  model.side_facts = side_facts(study);
  model.charts = make_charts(model.analysis);
  model.method = method_text(study);
  return model;
}

}  // namespace vmtax::report
