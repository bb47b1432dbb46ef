// The report as one HTML file that asks nothing of anywhere.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

std::string to_html(const Model& model);

}  // namespace vmtax::report
