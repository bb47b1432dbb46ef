#include <algorithm>
#include <map>
#include <set>

#include "planned.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

using namespace test;

std::vector<std::string> arms_of(const Block& block) {
  std::vector<std::string> arms;
  for (const auto& visit : block.visits)
    arms.push_back(std::string{to_text(visit.arm)} + " " +
                   (visit.configuration.empty() ? visit.footprint : visit.configuration));
  return arms;
}

using Cells = std::vector<std::pair<std::size_t, std::uint32_t>>;

Cells cells_of(const Visit& visit) {
  Cells cells;
  for (const auto& cell : visit.cells) cells.emplace_back(cell.workload, cell.iodepth);
  return cells;
}

TEST_CASE("every block has each arm once") {
  const auto plan = plan_of(scenario_of(one_drive, four_ways));
  for (const auto& block : plan.blocks) {
    auto arms = arms_of(block);
    std::sort(arms.begin(), arms.end());
    CHECK(arms == std::vector<std::string>{"backing ext4/raw", "backing xfs/raw", "bare bare",
                                           "guest passthrough", "guest qcow2-ext4",
                                           "guest raw-ext4-none", "guest raw-ext4-writeback",
                                           "guest raw-xfs-none", "guest raw-xfs-writeback"});
  }
}

TEST_CASE("a guest visits the footprint of its configuration") {
  const auto plan = plan_of(scenario_of(one_drive, four_ways));
  std::map<std::string, std::string> visited;
  for (const auto& visit : plan.blocks.at(0).visits)
    if (visit.arm == ArmKind::guest) visited[visit.configuration] = visit.footprint;
  for (const auto& [configuration, footprint] : plan.drives.at(0).configurations)
    CHECK(visited.at(configuration.name) == footprint);
  CHECK(visited.at("passthrough") == "bare");
  CHECK(visited.at("raw-xfs-writeback") == "xfs/raw");
  CHECK(visited.at("qcow2-ext4") == "ext4/qcow2");
}

TEST_CASE("rounds are outermost, then drives, then workloads") {
  const std::string two_drives =
      "[{name: a, stand_in: {directory: /var/tmp, size: 4GiB}}, "
      "{name: b, stand_in: {directory: /var/tmp, size: 4GiB}}]";
  const auto plan =
      plan_of(scenario_of(two_drives, "[{backing: passthrough}]", "measure: {rounds: 3}\n"));
  REQUIRE(plan.blocks.size() == 3 * 2 * 2);
  std::size_t index = 0;
  for (std::uint32_t round = 0; round < 3; ++round)
    for (std::size_t drive = 0; drive < 2; ++drive)
      for (std::size_t workload = 0; workload < 2; ++workload, ++index) {
        const auto& block = plan.blocks[index];
        CHECK(block.index == index);
        CHECK(block.round == round);
        CHECK(block.drive == drive);
        CHECK(block.workload == workload);
        CHECK(block.visits.at(0).cells.size() == plan.workloads[workload].iodepths.size());
      }
}

TEST_CASE("a visit to all workloads has every cell") {
  const auto plan =
      plan_of(scenario_of(one_drive, four_ways, "measure: {rounds: 2, visit: all}\n"));
  REQUIRE(plan.blocks.size() == 2);
  CHECK_FALSE(plan.blocks[0].workload);
  auto cells = cells_of(plan.blocks[0].visits[0]);
  std::sort(cells.begin(), cells.end());
  CHECK(cells == Cells{{0, 1}, {0, 8}, {1, 1}, {1, 2}, {1, 4}});
}

TEST_CASE("cells have one order in all visits of a block, and their own seeds") {
  const auto plan =
      plan_of(scenario_of(one_drive, four_ways, "measure: {rounds: 20, visit: all}\n"));
  std::set<Cells> orders;
  std::set<std::uint64_t> seeds;
  std::size_t cells = 0;
  for (const auto& block : plan.blocks) {
    orders.insert(cells_of(block.visits[0]));
    for (const auto& visit : block.visits) {
      CHECK(cells_of(visit) == cells_of(block.visits[0]));
      for (const auto& cell : visit.cells) {
        seeds.insert(cell.seed);
        ++cells;
      }
    }
  }
  CHECK(orders.size() > 10);  // of 120
  CHECK(seeds.size() == cells);
}

TEST_CASE("every arm is in every place equally often") {
  const auto plan = plan_of(scenario_of(
      one_drive, "[{backing: passthrough, io: [native, io_uring]}]", "measure: {rounds: 600}\n"));
  std::map<std::string, std::vector<int>> places;
  for (const auto& block : plan.blocks) {
    const auto arms = arms_of(block);
    for (std::size_t place = 0; place < arms.size(); ++place) {
      places[arms[place]].resize(3);
      ++places[arms[place]][place];
    }
  }
  REQUIRE(places.size() == 3);
  // 1200 blocks: 400 each, five standard deviations are 82.
  for (const auto& [arm, counts] : places)
    for (const int count : counts) CHECK(std::abs(count - 400) < 82);
}

TEST_CASE("the order depends on the seed alone") {
  const auto ordered = [](const std::string& seed) {
    const auto plan =
        plan_of(scenario_of(one_drive, four_ways, "measure: {rounds: 3, seed: " + seed + "}\n"));
    std::vector<std::vector<std::string>> orders;
    for (const auto& block : plan.blocks) orders.push_back(arms_of(block));
    return orders;
  };
  CHECK(ordered("7") == ordered("7"));
  CHECK(ordered("7") != ordered("8"));
}

}  // namespace
}  // namespace vmtax::plan
