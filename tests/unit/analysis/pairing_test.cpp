#include "analysis/pairing.hpp"

#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using namespace vmtax::analysis;
using store::Arm;
using test::StudyBuilder;

TEST_CASE("a guest is paired with the host of its own round") {
  StudyBuilder builder;
  builder.with_clean_pairs();
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  REQUIRE(cells.size() == 1);
  CHECK(cells[0].rounds_asked() == 3);
  CHECK(cells[0].rounds_obtained() == 3);
  CHECK(cells[0].missing.empty());
  for (const Round& round : cells[0].rounds) {
    REQUIRE(round.paired());
    CHECK(round.bare[0]->round == round.round);
    CHECK(round.guest[0]->figures()->iops == Approx(0.4 * round.bare[0]->figures()->iops));
  }
}

TEST_CASE("every planned cell is there, also without any sample") {
  StudyBuilder builder;
  builder.add_configuration("raw", "raw");
  builder.run.workloads[0].iodepths = {1, 32};
  builder.run.workloads.push_back({"seq", "read", kib(256), "io_uring", true, {8}});
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].configuration->name == "pass");
  CHECK(cells[5].workload->name == "seq");
  // Three rounds of guest and bare; with raw the backing too.
  CHECK(cells[0].missing.size() == 6);
  CHECK(cells[3].missing.size() == 9);
  CHECK(cells[0].missing[0].kind == MissingKind::not_measured);
}

TEST_CASE("missing partners are listed with their reason, and only their round is lost") {
  StudyBuilder builder;
  builder.with_clean_pairs();
  // Round 0 loses its bare sample by a failure, round 1 its guest by an interruption.
  builder.samples[0].outcome = protocol::IoFailure{"Input/output error at 4096", 5, {}};
  builder.samples[3].block_finished = false;
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  CHECK(cells[0].rounds_asked() == 3);
  CHECK(cells[0].rounds_obtained() == 1);
  REQUIRE(cells[0].missing.size() == 2);
  CHECK(cells[0].missing[0].arm == Arm::bare);
  CHECK(cells[0].missing[0].round == 0);
  CHECK(cells[0].missing[0].kind == MissingKind::failed);
  CHECK(cells[0].missing[0].reason == "Input/output error at 4096");
  CHECK(cells[0].missing[1].arm == Arm::guest);
  CHECK(cells[0].missing[1].round == 1);
  CHECK(cells[0].missing[1].kind == MissingKind::interrupted);
}

TEST_CASE("a result without any I/O is a failure") {
  StudyBuilder builder;
  builder.with_clean_pairs();
  builder.samples[1].outcome = test::result_of({.iops = 0});
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  CHECK(cells[0].rounds_obtained() == 2);
  REQUIRE(cells[0].missing.size() == 1);
  CHECK(cells[0].missing[0].kind == MissingKind::failed);
  CHECK(cells[0].missing[0].reason == "no I/O completed in the measured phase");
}

TEST_CASE("partners of another depth, workload, drive or footprint are no partners") {
  StudyBuilder builder;
  builder.run.rounds = 1;
  builder.run.configurations.clear();
  builder.add_configuration("raw", "raw");
  builder.add_guest("raw", 0, {});
  builder.add_bare(0, {}, 32);
  builder.add_bare(0, {}, 1, "other");
  builder.add_bare(0, {}).drive = "hdd";
  builder.add_backing("xfs/raw", 0, {});
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  REQUIRE(cells.size() == 1);
  CHECK(cells[0].rounds_obtained() == 0);
  CHECK(cells[0].missing.size() == 2);
}

TEST_CASE("a bare arm on the footprint's own extents goes before the bare region") {
  StudyBuilder builder;
  builder.run.rounds = 1;
  builder.run.configurations.clear();
  builder.add_configuration("raw", "raw");
  builder.add_bare(0, {.iops = 500});
  builder.add_bare(0, {.iops = 700}).footprint = "ext4/raw";
  const auto study = builder.study();
  const auto cells = pair_cells(study);
  REQUIRE(cells[0].rounds[0].bare.size() == 1);
  CHECK(cells[0].rounds[0].bare[0]->figures()->iops == Approx(700));
}
