// The environment of a run as rows of names and values.
#pragma once

#include "report/model.hpp"

namespace vmtax::report {

std::vector<FactText> run_facts(const analysis::Study& study);
std::vector<FactText> side_facts(const analysis::Study& study);

}  // namespace vmtax::report
