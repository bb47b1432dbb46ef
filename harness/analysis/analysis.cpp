#include "analysis/analysis.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace vmtax::analysis {
namespace {

using store::Arm;

std::vector<MissingSample> list_missing(const std::vector<PairedCell>& paired) {
  std::vector<MissingSample> list;
  std::set<std::tuple<Arm, std::string, std::string, std::string, std::uint32_t, std::uint32_t>>
      listed;
  for (const PairedCell& cell : paired) {
    for (const Missing& missing : cell.missing) {
      const std::string place = missing.arm == Arm::guest     ? cell.configuration->name
                                : missing.arm == Arm::backing ? cell.configuration->footprint
                                                              : "bare region";
      if (listed
              .insert({missing.arm, cell.drive->name, place, cell.workload->name, cell.iodepth,
                       missing.round})
              .second)
        list.push_back({cell.drive->name, place, cell.workload->name, cell.iodepth, missing});
    }
  }
  return list;
}

std::vector<HostPoint> average_host_arms(const Study& study) {
  using Key = std::tuple<std::string, Arm, std::string, std::string, std::uint32_t>;
  std::map<Key, std::vector<const Sample*>> samples;
  for (const Sample& s : study.samples) {
    if (s.arm != Arm::guest && s.block_finished && s.figures())
      samples[{s.drive, s.arm, s.footprint, s.workload, s.iodepth}].push_back(&s);
  }
  std::vector<HostPoint> points;
  for (const auto& [key, group] : samples) {
    const auto& [drive, arm, footprint, workload, iodepth] = key;
    points.push_back({drive, footprint, workload, iodepth, arm, *arm_figures(group)});
  }
  return points;
}

}  // namespace

Analysis analyse(Study study) {
  Analysis analysis;
  analysis.study = std::move(study);
  const std::vector<PairedCell> paired = pair_cells(analysis.study);
  for (const PairedCell& cell : paired) analysis.cells.push_back(evaluate(cell, paired));
  analysis.findings = find(analysis.study, paired, analysis.cells);
  analysis.missing = list_missing(paired);
  analysis.host_points = average_host_arms(analysis.study);
  return analysis;
}

std::size_t failed_cells(const Analysis& analysis) {
  return static_cast<std::size_t>(
      std::count_if(analysis.cells.begin(), analysis.cells.end(), [](const Cell& cell) {
        return std::find(cell.findings.begin(), cell.findings.end(), "sample-failed") !=
               cell.findings.end();
      }));
}

}  // namespace vmtax::analysis
