// Each finding is provoked once, and a clean run has none.
#include "analysis/findings.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "analysis/analysis.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using namespace vmtax::analysis;
using test::StudyBuilder;

namespace {

StudyBuilder clean() {
  StudyBuilder builder;
  builder.with_clean_pairs();
  return builder;
}

/// A clean run of one image configuration, instead of passthrough.
StudyBuilder clean_image(const std::string& backing, const std::string& cache) {
  StudyBuilder builder;
  builder.run.configurations.clear();
  builder.add_configuration("image", backing, cache);
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 1000 + round}).footprint = "ext4/" + backing;
    if (backing == "raw") builder.add_backing("ext4/raw", round, {.iops = 900});
    builder.add_guest("image", round, {.iops = 500});
  }
  return builder;
}

const Finding* found(const Analysis& analysis, std::string_view id) {
  for (const Finding& finding : analysis.findings) {
    if (finding.rule->id == id) return &finding;
  }
  return nullptr;
}

/// The run has exactly this finding; returns its severity and first evidence.
std::pair<Severity, std::string> only(const Analysis& analysis, std::string_view id) {
  for (const Finding& finding : analysis.findings) CHECK(finding.rule->id == id);
  const Finding* finding = found(analysis, id);
  REQUIRE(finding);
  REQUIRE(finding->occurrences.size() == 1);
  return {finding->severity, finding->occurrences[0].evidence};
}

}  // namespace

TEST_CASE("clean runs have no finding") {
  CHECK(analyse(clean().study()).findings.empty());
  CHECK(analyse(clean_image("raw", "none").study()).findings.empty());
  CHECK(analyse(clean_image("qcow2", "directsync").study()).findings.empty());
}

TEST_CASE("the catalogue's rows are whole and their ids unique") {
  std::set<std::string_view> ids;
  for (const Rule& rule : catalogue()) {
    CHECK(ids.insert(rule.id).second);
    CHECK_FALSE(rule.title.empty());
    CHECK_FALSE(rule.means.empty());
    CHECK_FALSE(rule.remedy.empty());
    CHECK((rule.of_run == nullptr) != (rule.of_cell == nullptr));
  }
}

TEST_CASE("finding: emulation") {
  auto builder = clean();
  builder.run.accelerator = "tcg";
  CHECK(only(analyse(builder.study()), "emulation").first == Severity::caution);
}

TEST_CASE("finding: nested virtualization") {
  auto builder = clean();
  builder.run.facts["host"]["cpu"]["hypervisor"] = true;
  CHECK(only(analyse(builder.study()), "nested-virtualization").first == Severity::caution);
}

TEST_CASE("finding: kernels differ") {
  auto builder = clean();
  builder.run.facts["guest"]["kernel"]["release"] = "6.12.0";
  CHECK(only(analyse(builder.study()), "kernel-differs").second ==
        "host 6.1.0-40-amd64, guest 6.12.0");
}

TEST_CASE("unknown facts are no finding, whatever their type") {
  auto builder = clean();
  builder.run.facts =
      GENERATE(nlohmann::json(), nlohmann::json{{"host", 7}},
               nlohmann::json{{"host", {{"kernel", 6}, {"cpu", {{"hypervisor", "yes"}}}}}},
               nlohmann::json::array());
  CHECK(analyse(builder.study()).findings.empty());
}

TEST_CASE("finding: run unfinished") {
  auto builder = clean();
  builder.finished = false;
  CHECK(only(analyse(builder.study()), "run-unfinished").first == Severity::note);
}

TEST_CASE("finding: window-matched, graver on a rotating drive") {
  auto builder = clean_image("qcow2", "none");
  for (auto& sample : builder.samples) {
    if (sample.arm == store::Arm::bare) sample.footprint = "bare";
  }
  CHECK(only(analyse(builder.study()), "window-matched").first == Severity::note);
  builder.run.drives[0].facts["rotational"] = true;
  const auto analysis = analyse(builder.study());
  CHECK(only(analysis, "window-matched").first == Severity::caution);
  CHECK(analysis.cells[0].loss_iops);
  builder.run.drives[0].stand_in = true;
  CHECK(only(analyse(builder.study()), "window-matched").first == Severity::note);
}

TEST_CASE("finding: the host's cache answers, and the loss is withheld") {
  const std::string mode = GENERATE("writeback", "writethrough");
  const auto analysis = analyse(clean_image("raw", mode).study());
  const auto [severity, evidence] = only(analysis, "host-cache");
  CHECK(severity == Severity::caution);
  CHECK(evidence.find(mode) != std::string::npos);
  const Cell& cell = analysis.cells[0];
  REQUIRE(cell.withheld);
  CHECK(cell.withheld->finding == "host-cache");
  CHECK_FALSE(cell.loss_iops);
  CHECK_FALSE(cell.loss_bytes_per_second);
  CHECK_FALSE(cell.inflation_lat_mean);
  CHECK_FALSE(cell.inflation_lat_p99);
  CHECK_FALSE(cell.shares.total);
  CHECK_FALSE(cell.shares.virtualization);
  // Both host arms read the drive itself, whatever the guest's cache.
  REQUIRE(cell.shares.storage_layer);
  CHECK(cell.shares.storage_layer->value == Approx(900 / 1001.).epsilon(0.001));
  CHECK(*cell.guest->iops == Approx(500));
}

TEST_CASE("finding: durability differs") {
  const auto analysis = analyse(clean_image("raw", "unsafe").study());
  CHECK(found(analysis, "durability-differs"));
  CHECK(found(analysis, "host-cache"));
  CHECK(analysis.findings.size() == 2);
}

TEST_CASE("finding: O_DIRECT not in force on one side is invalid and withholds") {
  auto builder = clean();
  builder.samples[2].outcome = test::result_of({.iops = 1100, .direct = false});
  const auto analysis = analyse(builder.study());
  const auto [severity, evidence] = only(analysis, "not-direct");
  CHECK(severity == Severity::invalid);
  CHECK(evidence.find("bare") != std::string::npos);
  CHECK(evidence.find("guest") == std::string::npos);
  CHECK(analysis.cells[0].withheld->finding == "not-direct");
  CHECK_FALSE(analysis.cells[0].loss_iops);
}

TEST_CASE("buffered I/O that was asked for is no finding") {
  auto builder = clean();
  builder.run.workloads[0].direct = false;
  for (auto& sample : builder.samples) std::get<protocol::IoResult>(sample.outcome).direct = false;
  CHECK(analyse(builder.study()).findings.empty());
}

TEST_CASE("finding: a failed sample, with its reason") {
  auto builder = clean();
  builder.samples[1].outcome =
      protocol::IoFailure{"the guest's agent answers: not within 30s", 0, {}};
  const auto [severity, evidence] = only(analyse(builder.study()), "sample-failed");
  CHECK(severity == Severity::caution);
  CHECK(evidence == "guest arm, round 1: the guest's agent answers: not within 30s");
}

TEST_CASE("finding: missing samples") {
  auto builder = clean();
  builder.run.rounds = 4;
  const auto [severity, evidence] = only(analyse(builder.study()), "sample-missing");
  CHECK(evidence == "bare arm, round 4: not measured; guest arm, round 4: not measured");
}

TEST_CASE("finding: a single round has no interval") {
  auto builder = clean();
  builder.run.rounds = 1;
  builder.samples.resize(2);
  const auto analysis = analyse(builder.study());
  CHECK(only(analysis, "single-round").second == "1 of 1 rounds");
  CHECK(analysis.cells[0].loss_iops);
  CHECK_FALSE(analysis.cells[0].loss_iops->interval);
}

TEST_CASE("finding: guest faster, only beyond the interval") {
  auto builder = clean();
  for (auto& sample : builder.samples) {
    const auto bare = builder.samples[2 * sample.round].outcome;
    if (sample.arm == store::Arm::guest)
      sample.outcome = test::result_of({.iops = std::get<protocol::IoResult>(bare).ios * 6 / 5});
  }
  const auto analysis = analyse(builder.study());
  CHECK(only(analysis, "guest-faster").second.find("loss -20.0 %") == 0);
  CHECK(analysis.cells[0].loss_iops->value == Approx(-0.2));
  // One round far slower: the interval now includes zero.
  builder.samples[1].outcome = test::result_of({.iops = 500});
  CHECK(analyse(builder.study()).findings.empty());
}

TEST_CASE("finding: resident pages, from a thousandth of the span") {
  auto builder = clean();
  builder.samples[3].resident_before = mib(1);
  CHECK(analyse(builder.study()).findings.empty());
  builder.samples[3].resident_before = mib(2);
  CHECK(only(analyse(builder.study()), "resident-pages").second ==
        "2.00 MiB of a span of 1.00 GiB");
}

TEST_CASE("finding: clocks disagree, beyond 2 % and 100 ms") {
  auto builder = clean();
  builder.samples[3].host_elapsed = std::chrono::milliseconds{1620};
  CHECK(analyse(builder.study()).findings.empty());
  builder.samples[3].host_elapsed = std::chrono::milliseconds{1640};
  CHECK(only(analyse(builder.study()), "clock-disagrees").second ==
        "round 2: 1.640 s by the host's clock, 1.500 s by the guest's");
  // The host's time holds the job: shorter, it needs no slack for messages.
  builder.samples[3].host_elapsed = std::chrono::milliseconds{1460};
  CHECK(only(analyse(builder.study()), "clock-disagrees").first == Severity::caution);
  builder.samples[3].host_elapsed = std::chrono::milliseconds{1480};
  CHECK(analyse(builder.study()).findings.empty());
}

TEST_CASE("a message that waited on its way to a host arm says nothing of clocks") {
  auto builder = clean();
  REQUIRE(builder.samples[2].arm == store::Arm::bare);
  builder.samples[2].host_elapsed = std::chrono::seconds{9};
  CHECK(analyse(builder.study()).findings.empty());
}

TEST_CASE("a format's share goes with the raw cell that it rests on, and no other ratio does") {
  StudyBuilder builder;
  builder.run.configurations.clear();
  builder.add_configuration("raw", "raw", "none");
  builder.add_configuration("qcow2", "qcow2", "none");
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 1000});
    builder.add_guest("raw", round, {.iops = 500});
    builder.add_guest("qcow2", round, {.iops = 400});
  }
  CHECK(analyse(builder.study()).cells[1].shares.format->value == Approx(0.8));
  builder.samples[1].outcome = test::result_of({.iops = 500, .direct = false});
  const auto cells = analyse(builder.study()).cells;
  CHECK_FALSE(cells[1].shares.format);
  CHECK_FALSE(cells[1].withheld);
  CHECK(cells[1].loss_iops->value == Approx(0.6));
}

TEST_CASE("formats compare under a cached mode that both share") {
  StudyBuilder builder;
  builder.run.configurations.clear();
  builder.add_configuration("raw", "raw", "writeback");
  builder.add_configuration("qcow2", "qcow2", "writeback");
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 1000});
    builder.add_guest("raw", round, {.iops = 5000});
    builder.add_guest("qcow2", round, {.iops = 4000});
  }
  const auto cells = analyse(builder.study()).cells;
  CHECK(cells[1].shares.format->value == Approx(0.8));
  CHECK(cells[1].withheld);
  CHECK_FALSE(cells[1].loss_iops);
}

TEST_CASE("equal evidence of several cells is one occurrence, the gravest finding comes first") {
  const auto analysis = analyse(test::sample_study().study());
  for (std::size_t i = 1; i < analysis.findings.size(); ++i)
    CHECK(analysis.findings[i - 1].severity <= analysis.findings[i].severity);
  const Finding* cache = found(analysis, "host-cache");
  REQUIRE(cache);
  REQUIRE(cache->occurrences.size() == 1);
  CHECK(cache->occurrences[0].cells.size() == 5);
  const Finding* faster = found(analysis, "guest-faster");
  REQUIRE(faster == nullptr);
}
