// Curves of speed over iodepth.
#pragma once

#include "report/model.hpp"

namespace vmtax::report {

/// One chart per drive and workload: the bare arm, each measured backing, each configuration.
std::vector<Chart> make_charts(const analysis::Analysis& analysis);

}  // namespace vmtax::report
