// How long a plan will take and how much it writes.
#pragma once

#include "plan/plan.hpp"

namespace vmtax::plan {

Estimate estimate(const Plan& plan);

}  // namespace vmtax::plan
