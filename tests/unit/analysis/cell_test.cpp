#include <cmath>

#include <nlohmann/json.hpp>

#include "analysis/analysis.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using namespace vmtax::analysis;
using test::StudyBuilder;

namespace {

const Cell& cell_of(const Analysis& analysis, const std::string& configuration) {
  for (const Cell& cell : analysis.cells) {
    if (cell.key.configuration == configuration) return cell;
  }
  throw std::runtime_error("no cell of " + configuration);
}

}  // namespace

TEST_CASE("a guest at 40 % of its host loses 60 %, in rates and in figures") {
  const auto analysis = analyse(StudyBuilder().with_clean_pairs().study());
  REQUIRE(analysis.cells.size() == 1);
  const Cell& cell = analysis.cells[0];
  REQUIRE(cell.loss_iops);
  CHECK(cell.loss_iops->value == Approx(0.6));
  CHECK(cell.loss_iops->interval->low == Approx(0.6));
  CHECK(cell.loss_bytes_per_second->value == Approx(0.6));
  CHECK(1 - *cell.guest->iops / *cell.bare->iops == Approx(cell.loss_iops->value));
  CHECK(*cell.bare->bytes_per_second == Approx(4096 * *cell.bare->iops));
  CHECK(*cell.bare->cpu_ns_per_io == Approx(5000));
  CHECK(cell.guest->rounds == 3);
  CHECK_FALSE(cell.backing);
}

TEST_CASE("inflation is the ratio of total latencies") {
  const auto analysis = analyse(StudyBuilder().with_clean_pairs().study());
  const Cell& cell = analysis.cells[0];
  // Host 98 % at 1 ms and 2 % at 5 ms, guest 2.5 and 10 ms; a histogram is within 1 %.
  CHECK(cell.inflation_lat_mean->value == Approx(2.65 / 1.08).epsilon(0.005));
  CHECK(cell.inflation_lat_p99->value == Approx(10.0 / 5.0).epsilon(0.01));
}

TEST_CASE("for passthrough virtualization is the total, without a storage layer") {
  const auto analysis = analyse(StudyBuilder().with_clean_pairs().study());
  const Shares& shares = analysis.cells[0].shares;
  CHECK(shares.total->value == Approx(0.4));
  CHECK(shares.virtualization->value == Approx(0.4));
  CHECK_FALSE(shares.storage_layer);
  CHECK_FALSE(shares.format);
}

TEST_CASE("shares multiply to the total, and qcow2 is set against raw") {
  StudyBuilder builder;
  builder.add_configuration("raw", "raw");
  builder.add_configuration("raw-xfs", "raw", "none", "xfs");
  builder.add_configuration("qcow2", "qcow2").settings["cluster_size"] = "64KiB";
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 1000});
    builder.add_backing("ext4/raw", round, {.iops = 800});
    builder.add_guest("raw", round, {.iops = 400});
    builder.add_guest("raw-xfs", round, {.iops = 100});
    builder.add_guest("qcow2", round, {.iops = 300});
  }
  const auto analysis = analyse(builder.study());
  const Shares& raw = cell_of(analysis, "raw").shares;
  CHECK(raw.total->value == Approx(0.4));
  CHECK(raw.virtualization->value == Approx(0.5));
  CHECK(raw.storage_layer->value == Approx(0.8));
  CHECK(raw.virtualization->value * raw.storage_layer->value == Approx(raw.total->value));
  CHECK_FALSE(raw.format);
  const Shares& qcow2 = cell_of(analysis, "qcow2").shares;
  CHECK_FALSE(qcow2.virtualization);
  CHECK(qcow2.format->value == Approx(0.75));
  CHECK(qcow2.format_partner == "raw");
}

TEST_CASE("a raw configuration with another knob is no partner of a qcow2 one") {
  StudyBuilder builder;
  builder.add_configuration("raw", "raw").settings["iothread"] = true;
  builder.add_configuration("qcow2", "qcow2");
  builder.add_guest("raw", 0, {});
  builder.add_guest("qcow2", 0, {});
  const auto analysis = analyse(builder.study());
  CHECK_FALSE(cell_of(analysis, "qcow2").shares.format);
}

TEST_CASE("arms are averaged over the rounds that are paired") {
  StudyBuilder builder;
  builder.with_clean_pairs();
  builder.samples[1].outcome = protocol::IoFailure{"gone", 0, {}};  // the guest of round 0
  const auto analysis = analyse(builder.study());
  const Cell& cell = analysis.cells[0];
  CHECK(cell.bare->rounds == 2);
  CHECK(*cell.bare->iops == Approx(std::sqrt(1100.0 * 900.0)));
  CHECK(cell.loss_iops->n == 2);
}

TEST_CASE("two visits of an arm in one round count as the mean of their logs") {
  StudyBuilder builder;
  builder.run.rounds = 1;
  builder.add_bare(0, {.iops = 400});
  builder.add_bare(0, {.iops = 900});
  builder.add_guest("pass", 0, {.iops = 300});
  const auto analysis = analyse(builder.study());
  CHECK(analysis.cells[0].loss_iops->value == Approx(0.5));
}

TEST_CASE("host curves take all rounds of a footprint") {
  const auto analysis = analyse(test::sample_study().study());
  std::size_t bare = 0, backing = 0;
  for (const HostPoint& point : analysis.host_points)
    ++(point.arm == store::Arm::bare ? bare : backing);
  CHECK(bare == 5);
  CHECK(backing == 5);
}

TEST_CASE("failed cells are those with a failed measurement, not those never begun") {
  StudyBuilder builder;
  builder.with_clean_pairs();
  CHECK(failed_cells(analyse(builder.study())) == 0);
  builder.run.rounds = 4;
  CHECK(failed_cells(analyse(builder.study())) == 0);
  builder.samples[0].outcome = protocol::IoFailure{"gone", 0, {}};
  const auto analysis = analyse(builder.study());
  CHECK(failed_cells(analysis) == 1);
  CHECK(analysis.missing.size() == 3);
}
