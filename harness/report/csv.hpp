// Tidy CSV (RFC 4180): one row per sample in the order they were taken, failures with their reason,
// numbers in full; rates per second, sizes (block_size, bytes, resident_before) in bytes. Rounds,
// the visits of a block and the cells of a visit (position) count from 1. status: ok, failed, or
// interrupted (left by a block that was not finished: in no ratio).
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

std::string to_csv(const Model& model);

}  // namespace vmtax::report
