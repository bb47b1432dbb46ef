// Where everything lies on one drive.
#pragma once

#include "plan/plan.hpp"

namespace vmtax::plan {

/// Regions, footprints and span of a drive for these configurations. Throws ScenarioError as
/// make_plan does.
PlannedDrive lay_out(const scenario::Drive& drive, const DriveFacts& facts,
                     const std::vector<scenario::Configuration>& configurations);

}  // namespace vmtax::plan
