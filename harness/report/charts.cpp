#include "report/charts.hpp"

#include <fmt/format.h>

#include "analysis/facts.hpp"
#include "analysis/numbers.hpp"

namespace vmtax::report {
namespace {

using analysis::ArmFigures;
using store::Arm;

void add_point(ChartSeries& series, const store::WorkloadRecord& workload, std::uint32_t iodepth,
               const std::optional<ArmFigures>& figures) {
  if (!figures || !figures->iops || !figures->bytes_per_second) return;
  const double value =
      is_random(workload.pattern) ? *figures->iops : *figures->bytes_per_second / 1e6;
  series.points.push_back({iodepth, value, speed(workload.pattern, figures)});
}

/// The points of `matching` host arms, in the order of the workload's depths; one series per
/// footprint.
void add_host_series(Chart& chart, const analysis::Analysis& analysis,
                     const store::WorkloadRecord& workload, Arm arm) {
  std::vector<ChartSeries> all;
  std::vector<std::string> footprints;
  for (const auto& point : analysis.host_points) {
    if (point.arm != arm || point.drive != chart.drive || point.workload != chart.workload)
      continue;
    if (footprints.empty() || footprints.back() != point.footprint) {
      footprints.push_back(point.footprint);
      all.push_back({std::string(to_text(arm)) + " " + point.footprint, arm, false, {}});
    }
    add_point(all.back(), workload, point.iodepth, point.figures);
  }
  if (arm == Arm::bare && all.size() == 1) all[0].label = "bare drive";
  chart.series.insert(chart.series.end(), all.begin(), all.end());
}

void add_guest_series(Chart& chart, const analysis::Analysis& analysis,
                      const store::WorkloadRecord& workload) {
  for (const auto& configuration : analysis.study.run.configurations) {
    if (configuration.drive != chart.drive) continue;
    ChartSeries series{
        configuration.name, Arm::guest, analysis::uses_host_cache(configuration), {}};
    if (series.ram_backed) series.label += " (RAM-backed)";
    for (const auto& cell : analysis.cells) {
      if (cell.key.drive == chart.drive && cell.key.workload == chart.workload &&
          cell.key.configuration == configuration.name)
        add_point(series, workload, cell.key.iodepth, cell.guest);
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
}

}  // namespace

std::vector<Chart> make_charts(const analysis::Analysis& analysis) {
  std::vector<Chart> charts;
  const auto& run = analysis.study.run;
  for (const auto& drive : run.drives) {
    for (const auto& workload : run.workloads) {
      Chart chart{drive.name,
                  workload.name,
                  fmt::format("{}: {} {}", workload.name, format_bytes(workload.block_size),
                              workload.pattern),
                  is_random(workload.pattern) ? "IOPS" : "MB/s",
                  {}};
      add_host_series(chart, analysis, workload, Arm::bare);
      add_host_series(chart, analysis, workload, Arm::backing);
      add_guest_series(chart, analysis, workload);
      if (!chart.series.empty()) charts.push_back(std::move(chart));
    }
  }
  return charts;
}

}  // namespace vmtax::report
