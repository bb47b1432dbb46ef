// Files that are built into the program, so that a report needs nothing beside it.
#pragma once

#include <string_view>

namespace vmtax::report::assets {

std::string_view chart_js();     ///< Chart.js 3, with its licence on top
std::string_view report_js();    ///< assets/report.js
std::string_view report_css();   ///< assets/report.css
std::string_view report_html();  ///< assets/report.html: {{name}} stands for a part

}  // namespace vmtax::report::assets
