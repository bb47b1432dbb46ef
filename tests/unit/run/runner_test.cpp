#include "run/runner.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/temporary_directory.hpp"
#include "unit/run/fake_arms.hpp"

using namespace vmtax;
using namespace std::chrono_literals;

namespace {

plan::Visit visit_of(plan::ArmKind arm, const std::string& configuration) {
  plan::Visit visit;
  visit.arm = arm;
  visit.footprint = "bare";
  visit.configuration = configuration;
  visit.cells = {{0, 1, 11}, {0, 32, 12}};
  return visit;
}

// Two rounds of one drive; in each a bare and a guest visit of two cells.
plan::Plan small_plan() {
  plan::Plan plan;
  plan.name = "small";
  plan.drives.resize(1);
  plan.drives[0].drive.name = "disk";
  plan.drives[0].span = mib(64);
  scenario::Workload workload;
  workload.name = "rand-read";
  workload.iodepths = {1, 32};
  plan.workloads = {workload};
  plan.measure.rounds = 2;
  plan.measure.runtime = 10s;
  plan.measure.ramp = 1s;
  for (std::uint32_t round = 0; round < 2; ++round) {
    plan::Block block;
    block.index = round;
    block.round = round;
    block.visits = {visit_of(plan::ArmKind::bare, ""), visit_of(plan::ArmKind::guest, "pass")};
    plan.blocks.push_back(block);
  }
  return plan;
}

struct Bench {
  plan::Plan plan = small_plan();
  test::TemporaryDirectory folder;
  store::Store store = store::Store::create(folder.path() / "run", store::RunRecord{});
  test::FakeClock clock;
  test::FakeArms arms{clock};
  run::Progress progress{stderr, false};

  store::TimeShare run() {
    run::Runner runner(plan, arms, store, clock, progress);
    runner.run_blocks();
    return runner.time();
  }
  std::size_t count(const std::string& event) const {
    return static_cast<std::size_t>(std::ranges::count(arms.events, event));
  }
  std::vector<std::string> failures() const {
    std::vector<std::string> reasons;
    for (const auto& sample : store.samples())
      if (const auto* failure = std::get_if<protocol::IoFailure>(&sample.outcome))
        reasons.push_back(failure->reason);
    return reasons;
  }
};

}  // namespace

TEST_CASE("every arm of every block visits, settles before each cell and leaves") {
  Bench bench;
  const auto time = bench.run();
  const std::vector<std::string> one_block{
      "arrive bare bare",  "settle", "run 1", "settle", "run 32", "leave",
      "arrive guest pass", "settle", "run 1", "settle", "run 32", "leave"};
  auto expected = one_block;
  expected.insert(expected.end(), one_block.begin(), one_block.end());
  CHECK(bench.arms.events == expected);

  const auto samples = bench.store.samples();
  REQUIRE(samples.size() == 8);
  CHECK(samples[3].arm == store::Arm::guest);
  CHECK(samples[3].configuration == "pass");
  CHECK(samples[3].iodepth == 32);
  CHECK(samples[3].seed == 12);
  CHECK(samples[3].visit == 1);
  CHECK(samples[3].position == 1);
  CHECK(samples[3].host_elapsed == 11s);
  CHECK(samples[3].resident_before == Bytes{4096});
  CHECK(std::get<protocol::IoResult>(samples[3].outcome).ios == 320);
  CHECK(bench.store.finished_blocks() == std::vector<std::size_t>{0, 1});
  CHECK(bench.store.run().facts.at("guest").at("kernel_release") == "6.1");

  CHECK(time.measuring == 8 * 11s);
  CHECK(time.booting == 4 * 5s);
  CHECK(time.settling == 8 * 100ms);
  CHECK(time.wall == time.measuring + time.booting + time.settling);
}

TEST_CASE("a guest that is lost costs one sample, and comes again for the others") {
  Bench bench;
  int runs = 0;
  bench.arms.on_event = [&](const std::string& event) {
    if (event.starts_with("run") && ++runs == 3) throw MeasurementError("the guest is gone");
  };
  bench.run();
  CHECK(bench.failures() == std::vector<std::string>{"the guest is gone"});
  CHECK(bench.count("arrive guest pass") == 3);
  CHECK(bench.count("gone") == 1);
  CHECK(bench.store.samples().size() == 8);
  CHECK(bench.store.finished_blocks().size() == 2);
}

TEST_CASE("a guest that never boots makes failures with its reason, after two tries a visit") {
  Bench bench;
  int tries = 0;
  bench.arms.on_event = [&](const std::string& event) {
    if (event != "arrive guest pass") return;
    ++tries;
    throw MeasurementError("no answer within 30s");
  };
  bench.plan.blocks[0].visits[1].cells.push_back({0, 64, 13});
  bench.run();
  CHECK(bench.failures() == std::vector<std::string>(5, "no answer within 30s"));
  CHECK(tries == 4);
}

TEST_CASE("an interrupted block is run anew, a finished one is not") {
  Bench bench;
  int runs = 0;
  bench.arms.on_event = [&](const std::string& event) {
    if (event.starts_with("run") && ++runs == 6) throw Interrupted{};
  };
  CHECK_THROWS_AS(bench.run(), Interrupted);
  CHECK(bench.store.finished_blocks() == std::vector<std::size_t>{0});
  CHECK(bench.arms.events.back() == "gone");

  bench.arms.events.clear();
  bench.arms.on_event = [](const std::string&) {};
  bench.run();
  CHECK(bench.count("arrive bare bare") == 1);
  CHECK(bench.store.finished_blocks() == std::vector<std::size_t>{0, 1});
  CHECK(bench.store.samples().size() == 8);  // those of finished attempts alone
}

TEST_CASE("an arm that can't be ended stops the run") {
  Bench bench;
  bench.arms.on_event = [](const std::string& event) {
    if (event == "leave") throw EnvironmentError("QEMU is still there");
  };
  CHECK_THROWS_WITH(bench.run(), "QEMU is still there");
}

TEST_CASE("no block begins once the budget is used up") {
  Bench bench;
  bench.plan.measure.budget = 30s;  // one block takes 54.4 s
  bench.run();
  CHECK(bench.store.finished_blocks() == std::vector<std::size_t>{0});
}
