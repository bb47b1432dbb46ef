#include "store/store.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "protocol/io_json.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using store::Store;

namespace {

store::SampleRecord guest_sample(std::uint32_t round, std::uint64_t iops) {
  test::StudyBuilder builder;
  return builder.add_guest("pass", round, {.iops = iops});
}

std::uint64_t ios(const store::SampleRecord& sample) {
  return std::get<protocol::IoResult>(sample.outcome).ios;
}

}  // namespace

TEST_CASE("a run is read back as it was written") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder builder;
  builder.add_configuration("raw", "raw", "writeback");
  builder.run.seed = ~0ULL;
  { Store::create(folder.path() / "run", builder.run); }
  const auto run = Store::open(folder.path() / "run").run();
  CHECK(run.id == builder.run.id);
  CHECK(run.scenario_text == builder.run.scenario_text);
  CHECK(run.seed == ~0ULL);
  CHECK(run.rounds == 3);
  CHECK(run.runtime == builder.run.runtime);
  CHECK(run.facts == builder.run.facts);
  CHECK(run.identity == builder.run.identity);
  REQUIRE(run.configurations.size() == 2);
  CHECK(run.configurations[1].name == "raw");
  CHECK(run.configurations[1].cache == "writeback");
  CHECK(run.configurations[1].host_measures_backing);
  CHECK(run.configurations[1].disk_xml == builder.run.configurations[1].disk_xml);
  REQUIRE(run.drives.size() == 1);
  CHECK(run.drives[0].span == gib(1));
  REQUIRE(run.workloads.size() == 1);
  CHECK(run.workloads[0].iodepths == std::vector<std::uint32_t>{1});
}

TEST_CASE("a sample keeps every field, its histograms included") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder builder;
  auto sample = guest_sample(2, 777);
  sample.visit = 3;
  sample.seed = ~0ULL;
  sample.resident_before = kib(12);
  sample.evidence = {{"resident_after", 4096}};
  auto store = Store::create(folder.path(), builder.run);
  const auto attempt = store.begin_block({5, "nvme", "", 2});
  store.add(attempt, sample);
  store.finish_block(attempt);
  const auto samples = store.samples();
  REQUIRE(samples.size() == 1);
  const auto& back = samples[0];
  CHECK(back.drive == "nvme");
  CHECK(back.configuration == "pass");
  CHECK(back.arm == store::Arm::guest);
  CHECK(back.round == 2);
  CHECK(back.visit == 3);
  CHECK(back.seed == ~0ULL);
  CHECK(back.started_unix_ns == sample.started_unix_ns);
  CHECK(back.host_elapsed == sample.host_elapsed);
  CHECK(back.resident_before == kib(12));
  CHECK(back.evidence == sample.evidence);
  CHECK(back.block_finished);
  CHECK(protocol::to_json(back.outcome) == protocol::to_json(sample.outcome));
}

TEST_CASE("a failure is a row with its reason, whatever bytes it holds") {
  const test::TemporaryDirectory folder;
  auto sample = guest_sample(0, 1);
  sample.outcome = protocol::IoFailure{"lost at \xff\xfe", 5, Bytes{4096}};
  auto store = Store::create(folder.path(), test::StudyBuilder().run);
  store.add(store.begin_block({0, "nvme", "", 0}), sample);
  const auto samples = store.samples();
  REQUIRE(samples.size() == 1);
  const auto& failure = std::get<protocol::IoFailure>(samples[0].outcome);
  CHECK(failure.reason.find("lost at ") == 0);
  CHECK(failure.error_number == 5);
  CHECK(failure.offset == Bytes{4096});
}

TEST_CASE("of an interrupted block the finished attempt counts") {
  const test::TemporaryDirectory folder;
  auto store = Store::create(folder.path(), test::StudyBuilder().run);
  const auto first = store.begin_block({0, "nvme", "", 0});
  store.add(first, guest_sample(0, 100));
  CHECK(store.finished_blocks().empty());
  REQUIRE(store.samples().size() == 1);
  CHECK_FALSE(store.samples()[0].block_finished);

  const auto second = store.begin_block({0, "nvme", "", 0});
  store.add(second, guest_sample(0, 200));
  store.add(second, guest_sample(0, 201));
  store.finish_block(second);
  store.add(store.begin_block({1, "nvme", "", 1}), guest_sample(1, 300));
  CHECK(store.finished_blocks() == std::vector<std::size_t>{0});
  const auto samples = store.samples();
  REQUIRE(samples.size() == 3);
  CHECK(ios(samples[0]) == 200);
  CHECK(ios(samples[1]) == 201);
  CHECK(ios(samples[2]) == 300);
  CHECK(samples[1].block_finished);
  CHECK_FALSE(samples[2].block_finished);
}

TEST_CASE("facts are merged, time accumulates, the end is remembered") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder builder;
  auto store = Store::create(folder.path(), builder.run);
  store.add_facts({{"guest", {{"clocksource", "tsc"}}}});
  CHECK(store.run().facts["guest"]["clocksource"] == "tsc");
  CHECK(store.run().facts["guest"]["kernel"] == builder.run.facts["guest"]["kernel"]);
  CHECK(store.time().wall.count() == 0);
  store.add_time(builder.time);
  store.add_time(builder.time);
  CHECK(store.time().wall == 2 * builder.time.wall);
  CHECK(store.time().ending == 2 * builder.time.ending);
  CHECK_FALSE(store.finished());
  store.finish_run();
  CHECK(store.finished());
}

TEST_CASE("a directory with a store is not made anew") {
  const test::TemporaryDirectory folder;
  CHECK_FALSE(Store::exists(folder.path()));
  { Store::create(folder.path(), test::StudyBuilder().run); }
  CHECK(Store::exists(folder.path()));
  CHECK_THROWS_AS(Store::create(folder.path(), test::StudyBuilder().run), EnvironmentError);
}

TEST_CASE("the second process in a directory is refused with the first one's pid") {
  const test::TemporaryDirectory folder;
  const auto first = Store::create(folder.path(), test::StudyBuilder().run);
  CHECK_THROWS_WITH(Store::open(folder.path()),
                    Catch::Contains("another vmtax process (pid " + std::to_string(::getpid())));
}
