// Plans of a test.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace vmtax::test {

/// A scenario with these parts; `configurations` is a YAML list in flow style.
inline scenario::Scenario scenario_of(const std::string& drives, const std::string& configurations,
                                      const std::string& more = "") {
  return scenario::parse(
      "version: 1\nname: test\ndrives: " + drives + "\nconfigurations: " + configurations +
          "\nworkloads:\n  - {name: r, pattern: randread, iodepth: [1, 8]}\n"
          "  - {name: w, pattern: write, block_size: 256KiB, iodepth: [1, 2, 4]}\n" +
          more,
      "test.yaml");
}

/// Stand-ins have the size of the scenario, other drives `size`.
inline plan::Plan plan_of(const scenario::Scenario& scenario, Bytes size = gib(100),
                          Bytes sector = Bytes{512}) {
  std::map<std::string, plan::DriveFacts> facts;
  for (const auto& drive : scenario.drives) {
    const auto* stand_in = std::get_if<scenario::StandIn>(&drive.where);
    facts[drive.name] = {stand_in ? stand_in->size : size, sector};
  }
  return plan::make_plan(scenario, facts);
}

inline const std::string one_drive = "[{name: d, stand_in: {directory: /var/tmp, size: 4GiB}}]";
inline const std::string four_ways =
    "[{backing: passthrough}, {backing: raw, filesystem: [ext4, xfs], cache: [none, writeback]}, "
    "{backing: qcow2, filesystem: ext4}]";

}  // namespace vmtax::test
