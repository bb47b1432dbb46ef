// The report for programs.
//
// {"format": "vmtax-report", "version": 1, "run": {…}, "cells": [{…}], "findings": [{…}],
//  "failures": [{…}]}. Ratios are fractions (a loss of 0.6 is 60 %), times nanoseconds, rates per
// second. A number that is not there is null: `backing` where the host does not measure it, an
// interval of one round, every ratio of a cell whose `withheld` says why. Keys are only ever added;
// another meaning is another version.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

inline constexpr int json_version = 1;

std::string to_json_text(const Model& model);

}  // namespace vmtax::report
