// From the checked tree to the parts of a Scenario: defaults filled in, rules between keys held.
#pragma once

#include <vector>

#include "scenario/yaml_tree.hpp"

namespace vmtax::scenario {

std::vector<Drive> build_drives(const Node& list);
Guest build_guest(const Node& section);

/// One entry's combinations in the order of its lists (the last knob varies fastest), named.
std::vector<Configuration> build_configurations(const Node& list, const Guest& guest);

std::vector<Workload> build_workloads(const Node& list, const Guest& guest);
Measure build_measure(const Node& section);

/// Rules between a scenario's sections: consent for writes, blocks larger than the span.
void check_whole(const Scenario& scenario);

}  // namespace vmtax::scenario
