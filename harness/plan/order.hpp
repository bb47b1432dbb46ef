// Who visits when: the randomised complete blocks of a plan.
#pragma once

#include "plan/plan.hpp"

namespace vmtax::plan {

/// Blocks in the order in which they run: rounds outermost, so that a run that ends early has whole
/// rounds; then drives and (with `visit: workload`) workloads as the scenario lists them.
std::vector<Block> make_blocks(const Plan& plan);

}  // namespace vmtax::plan
