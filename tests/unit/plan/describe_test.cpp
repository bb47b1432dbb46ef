#include <nlohmann/json.hpp>

#include "planned.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

using test::plan_of;
using test::scenario_of;

TEST_CASE("a plan for people says what will be destroyed, capped and left alone") {
  const auto said = [](const std::string& drives) {
    return describe(plan_of(scenario_of(drives, "[{backing: passthrough}]")));
  };
  CHECK(said("[{name: d, path: /dev/disk/by-id/x, erase: S1}]")
            .find("/dev/disk/by-id/x, ALL DATA ON IT WILL BE DESTROYED") != std::string::npos);
  const auto capped = said(
      "[{name: d, stand_in: {directory: /srv, size: 1GiB, throttle: {iops: 1500, bandwidth: "
      "50MB}}}]");
  CHECK(capped.find("stand-in in /srv, capped at 1500 IOPS, capped at 50MB/s") !=
        std::string::npos);
}

TEST_CASE("a long order is cut for people and whole for programs") {
  const auto plan = plan_of(scenario_of(test::one_drive, "[{backing: passthrough}]",
                                        "measure: {rounds: 100, budget: 1h}\n"));
  const auto text = describe(plan);
  CHECK(text.find("... and 188 more blocks (all of them: --json)") != std::string::npos);
  CHECK(text.find("no block begins after 1h") != std::string::npos);
  const auto json = nlohmann::json::parse(to_json(plan));
  CHECK(json.at("blocks").size() == 200);
  CHECK(json.at("measure").at("budget_ns") == 3'600'000'000'000);
}

TEST_CASE("seeds and sizes pass through JSON unchanged") {
  const auto plan =
      plan_of(scenario_of(test::one_drive, test::four_ways, "measure: {seed: 9007199254740991}\n"));
  const auto json = nlohmann::json::parse(to_json(plan));
  CHECK(json.at("seed") == 9007199254740991);
  CHECK(json.at("blocks").at(0).at("visits").at(0).at("cells").at(0).at("seed") ==
        plan.blocks.at(0).visits.at(0).cells.at(0).seed);
  CHECK(json.at("drives").at(0).at("span_bytes") == plan.drives.at(0).span.value);
}

}  // namespace
}  // namespace vmtax::plan
