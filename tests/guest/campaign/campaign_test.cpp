// Whole runs on real guests: what a user starts, and what must be so afterwards.
#include <map>

#include <signal.h>

#include "base/child_process.hpp"
#include "base/errors.hpp"
#include "guest/campaign/campaign_bench.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::string small_rest = R"(guest: {accelerator: tcg}
configurations:
  - {name: pass, backing: passthrough}
  - {name: raw, backing: raw, filesystem: ext4}
  - {name: qcow2, backing: qcow2, filesystem: ext4}
workloads:
  - {name: rand-read, pattern: randread, block_size: 4KiB, iodepth: [1, 8]}
  - {name: seq-write, pattern: write, block_size: 256KiB, iodepth: 4}
measure: {runtime: 500ms, ramp: 100ms, rounds: 2, visit: all, seed: 7}
)";
const std::string small_drive = "size: 512MiB";

// A run in the background whose output is read until a text appears in it.
class RunningVmtax {
 public:
  explicit RunningVmtax(const std::vector<std::string>& arguments)
      : child_(
            [&] {
              std::string line = "exec " + test::program("vmtax");
              for (const auto& word : arguments) line += " " + word;
              return std::vector<std::string>{"sh", "-c", line + " 2>&1"};
            }(),
            "/dev/null") {}

  void await(const std::string& text) {
    const Deadline deadline("vmtax says '" + text + "'", 120s);
    std::array<char, 4096> buffer{};
    while (said_.find(text) == std::string::npos) {
      const auto got = child_.channel().read_some(buffer, deadline);
      if (got == 0) throw std::runtime_error("vmtax ended, having said: " + said_);
      said_.append(buffer.data(), got);
    }
  }
  void signal(int number) { ::kill(child_.pid(), number); }
  pid_t pid() const { return child_.pid(); }
  ProcessOutput end(std::chrono::seconds limit = 60s) {
    return child_.close(Deadline("vmtax ends", limit));
  }

 private:
  ChildProcess child_;
  std::string said_;
};

const json& cell_of(const json& report, const std::string& configuration,
                    const std::string& workload, int iodepth) {
  for (const auto& cell : report.at("cells"))
    if (cell.at("configuration") == configuration && cell.at("workload") == workload &&
        cell.at("iodepth") == iodepth)
      return cell;
  throw std::runtime_error("no such cell: " + configuration);
}

// The QEMU of a run, as soon as there is one.
pid_t await_guest(const test::CampaignBench& bench) {
  const auto line = "guest=vmtax-.*" + bench.runtime().string() + "/";
  const Deadline deadline("the guest is there", 60s);
  std::string found;
  while (found.empty() && !deadline.passed()) found = run_process({"pgrep", "-f", line}, 10s).out;
  REQUIRE(!found.empty());
  return std::stoi(found);
}

}  // namespace

TEST_CASE("a scenario goes in, and a report with every arm of every cell comes out") {
  const test::CampaignBench bench;
  const auto scenario = bench.scenario(small_drive, small_rest);
  const auto output = test::vmtax({"run", scenario, "-o", bench.results().string()}, 300s);
  INFO(output.err);
  REQUIRE(output.exit_code == 0);
  CHECK(bench.leavings() == "");

  const auto report = bench.report();
  REQUIRE(report.at("cells").size() == 9);
  for (const auto& cell : report.at("cells")) {
    INFO(cell.dump());
    CHECK(cell.at("rounds_obtained") == 2);
    CHECK(cell.at("arms").at("bare").at("iops") > 0);
    CHECK(cell.at("arms").at("guest").at("iops") > 0);
    CHECK(cell.at("arms").at("backing").is_null() == (cell.at("configuration") != "raw"));
    CHECK(cell.at("loss").at("iops").at("estimate").is_number());
  }
  CHECK(report.at("run").at("accelerator") == "tcg");
  CHECK(report.at("run").at("seed") == 7);
  for (const auto* name : {"report.html", "report.md", "samples.csv"})
    CHECK(std::filesystem::file_size(bench.results() / name) > 1000);
  CHECK_THAT(output.out, Contains("report.html"));

  // The report comes from the store alone, as often as one likes.
  const auto again = test::vmtax({"report", bench.results().string(), "--format", "json", "-o",
                                  (bench.results() / "again").string()});
  INFO(again.err);
  CHECK(again.exit_code == 0);
  CHECK(json::parse(read_text(bench.results() / "again" / "report.json")) == report);
}

TEST_CASE("Ctrl-C leaves nothing behind, and the same command goes on") {
  const test::CampaignBench bench;
  const auto scenario = bench.scenario(small_drive, small_rest);
  const std::vector<std::string> arguments{"run", scenario, "-o", bench.results().string()};
  for (const auto* moment : {"filling", "round 2/2"}) {
    RunningVmtax run(arguments);
    run.await(moment);
    run.signal(SIGINT);
    CHECK(run.end().exit_code == 130);
    CHECK(bench.leavings() == "");
  }
  const auto output = test::vmtax(arguments, 300s);
  INFO(output.err);
  CHECK(output.exit_code == 0);
  CHECK_THAT(output.err, Contains("resuming"));
  CHECK_THAT(output.err, !Contains("round 1/2"));
  CHECK(bench.leavings() == "");
  for (const auto& cell : bench.report().at("cells")) CHECK(cell.at("rounds_obtained") == 2);
}

TEST_CASE("what a killed run left is removed by clean, and nothing else") {
  const test::CampaignBench bench;
  const auto scenario = bench.scenario(small_drive, small_rest);
  {
    RunningVmtax run({"run", scenario, "-o", bench.results().string()});
    run.await("disk guest");
    await_guest(bench);  // it lives on, and has the image open
    run.signal(SIGKILL);
    run.end();
  }
  CHECK(bench.leavings() != "");
  const auto output = test::vmtax({"clean"}, 60s);
  INFO(output.out << output.err);
  CHECK(output.exit_code == 0);
  CHECK_THAT(output.out, Contains("removed: "));
  CHECK(bench.leavings() == "");
}

TEST_CASE("a guest and a host's agent that are killed cost samples, and not the run") {
  const test::CampaignBench bench;
  const auto scenario = bench.scenario("size: 64MiB", small_rest);
  RunningVmtax run({"run", scenario, "-o", bench.results().string()});
  run.await("disk guest");
  ::kill(await_guest(bench), SIGKILL);
  run.await("failed: ");
  // The oldest: it drops the pages below every guest, to the end of the run.
  const auto agents =
      run_process({"pgrep", "-o", "-P", std::to_string(run.pid()), "-f", "serve"}, 10s);
  REQUIRE(!agents.out.empty());
  ::kill(std::stoi(agents.out), SIGKILL);
  CHECK(run.end(240s).exit_code == 1);
  CHECK(bench.leavings() == "");
  const auto report = bench.report();
  CHECK(report.at("cells").size() == 9);
  std::size_t obtained = 0;
  for (const auto& cell : report.at("cells"))
    obtained += cell.at("rounds_obtained").get<std::size_t>();
  CHECK(obtained >= 12);  // of 18: at most one sample for each of the two, and their visits' rest
  CHECK(obtained < 18);
}

TEST_CASE("two runs can't be at work in one directory, nor a finished one be another's") {
  const test::CampaignBench bench;
  auto scenario = bench.scenario("size: 64MiB", small_rest);
  const std::vector<std::string> arguments{"run", scenario, "-o", bench.results().string()};
  RunningVmtax run(arguments);
  run.await("preparing");
  const auto second = test::vmtax(arguments, 60s);
  CHECK(second.exit_code == 3);
  CHECK_THAT(second.err, Contains("another run is at work"));
  CHECK_THAT(test::vmtax({"clean"}).out, Contains("alive"));
  CHECK(run.end(240s).exit_code == 0);
  CHECK(bench.leavings() == "");

  const auto again = test::vmtax(arguments, 60s);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.err, Contains("is finished"));
  scenario = bench.scenario("size: 72MiB", small_rest);
  const auto other = test::vmtax(arguments, 60s);
  CHECK(other.exit_code == 3);
  CHECK_THAT(other.err, Contains("another scenario"));
}

TEST_CASE("a resumed run must be the same run") {
  const test::CampaignBench bench;
  auto scenario = bench.scenario(small_drive, small_rest);
  {
    RunningVmtax run({"run", scenario, "-o", bench.results().string()});
    run.await("round 1/2");
    run.signal(SIGTERM);
    CHECK(run.end().exit_code == 130);
  }
  scenario = bench.scenario("size: 520MiB", small_rest);
  const auto output = test::vmtax({"run", scenario, "-o", bench.results().string()}, 120s);
  CHECK(output.exit_code == 3);
  CHECK_THAT(output.err, Contains("the scenario was edited"));
  CHECK(bench.leavings() == "");
}

TEST_CASE(
    "planted truth: an uncapped guest loses nothing, one capped to a third loses two thirds") {
  const test::CampaignBench bench;
  // Host and guest meet the same capped drive, so that emulation costs nothing that could be seen.
  const auto scenario =
      bench.scenario("size: 256MiB, throttle: {iops: 1500}", R"(guest: {accelerator: tcg}
configurations:
  - {name: uncapped, backing: passthrough}
  - {name: capped, backing: passthrough, iotune: {total_iops_sec: 500}}
workloads:
  - {name: rand-read, pattern: randread, block_size: 4KiB, iodepth: 8}
measure: {runtime: 6s, ramp: 2s, rounds: 2, visit: all}
)");
  const auto output = test::vmtax({"run", scenario, "-o", bench.results().string()}, 300s);
  INFO(output.out << output.err);
  REQUIRE(output.exit_code == 0);
  const auto report = bench.report();
  const auto loss = [&](const char* configuration) {
    return cell_of(report, configuration, "rand-read", 8)
        .at("loss")
        .at("iops")
        .at("estimate")
        .get<double>();
  };
  CHECK(loss("uncapped") == Approx(0).margin(0.03));
  CHECK(loss("capped") == Approx(0.667).margin(0.03));
  CHECK(
      cell_of(report, "uncapped", "rand-read", 8).at("arms").at("bare").at("iops").get<double>() ==
      Approx(1500).epsilon(0.05));
}
