// The parts of the HTML report; each returns markup whose texts are escaped.
#pragma once

#include <string>

#include "report/model.hpp"

namespace vmtax::report::parts {

std::string loss_tables(const Model& model);    ///< per drive: configuration x workload and depth
std::string figure_tables(const Model& model);  ///< per drive: every cell with all its figures
std::string findings(const Model& model);
std::string missing(const Model& model);
std::string environment(const Model& model);
std::string configurations(const Model& model);  ///< each with its <disk> element
std::string method(const Model& model);

}  // namespace vmtax::report::parts
