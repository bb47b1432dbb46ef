#include <chrono>

#include "planned.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

using namespace std::chrono_literals;
using test::four_ways;
using test::one_drive;
using test::plan_of;
using test::scenario_of;

TEST_CASE("an estimate counts every cell, boot and filled byte") {
  const auto plan = plan_of(
      scenario_of("[{name: d, stand_in: {directory: /var/tmp, size: 4GiB}, span: 128MiB}]",
                  four_ways, "measure: {rounds: 3, visit: all, runtime: 2s, ramp: 500ms}\n"));
  const std::size_t arms = 1 + 2 + 6, cells = 5, rounds = 3;
  CHECK(plan.estimate.samples == arms * cells * rounds);
  CHECK(plan.estimate.measuring == 2500ms * static_cast<std::int64_t>(arms * cells * rounds));
  CHECK(plan.estimate.boots == 6 * rounds + 1);  // the qcow2 image is filled by a guest
  CHECK(plan.estimate.filled == mib(128) * 4);
  CHECK(plan.estimate.total > plan.estimate.measuring);
}

TEST_CASE("a visit to each workload costs more boots for the same samples") {
  const auto visiting = [](const std::string& visit) {
    return plan_of(
               scenario_of(one_drive, four_ways, "measure: {rounds: 2, visit: " + visit + "}\n"))
        .estimate;
  };
  CHECK(visiting("all").samples == visiting("workload").samples);
  CHECK(visiting("workload").boots == 2 * (visiting("all").boots - 1) + 1);
  CHECK(visiting("workload").total > visiting("all").total);
}

// What the issue of the quickstart allows on a 2-core machine without KVM is 8 minutes.
TEST_CASE("the quickstart is planned for seven minutes") {
  const auto plan = plan_of(scenario::load(VMTAX_SOURCE_DIR "/scenarios/quickstart.yaml"));
  CHECK(plan.estimate.samples == 144);
  CHECK(plan.estimate.boots == 13);
  CHECK(plan.estimate.total > 5min);
  CHECK(plan.estimate.total <= 7min);
}

}  // namespace
}  // namespace vmtax::plan
