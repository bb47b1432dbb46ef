// The report as Markdown, to be pasted into a forum or an issue.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report {

std::string to_markdown(const Model& model);

}  // namespace vmtax::report
