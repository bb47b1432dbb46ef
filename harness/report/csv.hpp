// Tidy CSV (RFC 4180): one row per sample as it was taken, failures with their reason, numbers in
// full.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

std::string to_csv(const Model& model);

}  // namespace vmtax::report
