#include <fmt/format.h>

#include "base/errors.hpp"
#include "plan/estimate.hpp"
#include "plan/layout.hpp"
#include "plan/order.hpp"

namespace vmtax::plan {
namespace {

// What only the drive's own sectors and the chosen span can tell.
void check_workloads(const PlannedDrive& drive, const std::vector<scenario::Workload>& workloads) {
  for (const auto& workload : workloads) {
    if (workload.block_size > drive.span)
      throw ScenarioError(fmt::format(
          "{}block_size {} of workload '{}' is larger than the span {} of drive '{}'; allowed: a "
          "block_size up to the span, or a larger drive",
          workload.mark.prefix(), format_bytes(workload.block_size), workload.name,
          format_bytes(drive.span), drive.drive.name));
    if (workload.block_size.value % drive.facts.logical_sector.value != 0)
      throw ScenarioError(fmt::format(
          "{}block_size {} of workload '{}' does not fit the sectors of drive '{}'; allowed: a "
          "multiple of {}",
          workload.mark.prefix(), format_bytes(workload.block_size), workload.name,
          drive.drive.name, format_bytes(drive.facts.logical_sector)));
  }
}

}  // namespace

std::string_view to_text(ArmKind arm) {
  switch (arm) {
    case ArmKind::bare:
      return "bare";
    case ArmKind::backing:
      return "backing";
    case ArmKind::guest:
      return "guest";
  }
  return "unknown";
}

Plan make_plan(const scenario::Scenario& scenario, const std::map<std::string, DriveFacts>& facts) {
  Plan plan;
  plan.name = scenario.name;
  plan.seed = scenario.measure.seed;
  plan.workloads = scenario.workloads;
  plan.measure = scenario.measure;
  for (const auto& drive : scenario.drives) {
    plan.drives.push_back(lay_out(drive, facts.at(drive.name), scenario.configurations));
    check_workloads(plan.drives.back(), plan.workloads);
  }
  plan.blocks = make_blocks(plan);
  plan.estimate = estimate(plan);
  return plan;
}

}  // namespace vmtax::plan
