// The summary at the end of a run.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

/// Lines of at most `columns` characters; colours (ANSI) only when asked for.
std::string to_terminal(const Model& model, int columns, bool colour);

}  // namespace vmtax::report
