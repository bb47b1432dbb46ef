#include "report/json.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using nlohmann::json;

namespace {

json report_of(const test::StudyBuilder& builder) {
  return json::parse(report::to_json_text(report::make_model(analysis::analyse(builder.study()))));
}

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

}  // namespace

TEST_CASE("a cell of report.json has the keys that programs rely on") {
  const json report = report_of(test::sample_study());
  CHECK(report["format"] == "vmtax-report");
  CHECK(report["version"] == 1);
  REQUIRE(report["cells"].size() == 20);
  for (const json& cell : report["cells"]) {
    for (const char* key : {"drive", "configuration", "workload", "pattern", "block_size",
                            "iodepth", "rounds_asked", "rounds_obtained", "findings", "withheld"})
      CHECK(cell.contains(key));
    CHECK(keys(cell["arms"]) == std::vector<std::string>{"backing", "bare", "guest"});
    for (const char* arm : {"bare", "guest"}) {
      for (const char* key : {"iops", "bytes_per_second", "lat_mean_ns", "lat_p50_ns", "lat_p99_ns",
                              "clat_mean_ns", "cpu_ns_per_io"})
        CHECK(cell["arms"][arm][key].is_number());
    }
    for (const char* key : {"iops", "bytes_per_second"})
      CHECK(keys(cell["loss"][key]) == std::vector<std::string>{"estimate", "high", "low", "n"});
    for (const char* key : {"lat_mean", "lat_p99"})
      CHECK(keys(cell["inflation"][key]) ==
            std::vector<std::string>{"estimate", "high", "low", "n"});
    for (const char* key : {"total", "virtualization", "storage_layer", "format"})
      CHECK(cell["shares"].contains(key));
  }
}

TEST_CASE("the run's facts are in report.json") {
  const json run = report_of(test::sample_study())["run"];
  CHECK(run["host"]["kernel"]["release"] == "6.1.0-40-amd64");
  CHECK(run["guest"]["kernel"]["release"] == "6.1.0-40-cloud-amd64");
  CHECK(run["qemu"] == "7.2.19");
  CHECK(run["libvirt"] == "9.0.0");
  CHECK(run["agent_sha256"] == "0123456789abcdef");
  CHECK(run["accelerator"] == "tcg");
  CHECK(run["seed"] == 42);
  CHECK(run["workloads"][0]["engine"] == "io_uring");
  CHECK(run["workloads"][0]["iodepths"] == json{1, 32});
  CHECK(run["began_unix_ns"].is_number_integer());
  CHECK(run["scenario_text"] == "version: 1\nname: test study\n");
}

TEST_CASE("what there is not is null: a backing, an interval, withheld ratios") {
  test::StudyBuilder builder;
  builder.run.rounds = 1;
  builder.add_bare(0, {.iops = 1000});
  builder.add_guest("pass", 0, {.iops = 400});
  builder.add_configuration("cached", "raw", "writeback");
  builder.add_guest("cached", 0, {.iops = 3000});
  const json cells = report_of(builder)["cells"];
  CHECK(cells[0]["arms"]["backing"].is_null());
  CHECK(cells[0]["loss"]["iops"]["estimate"] == Approx(0.6));
  CHECK(cells[0]["loss"]["iops"]["low"].is_null());
  CHECK(cells[0]["withheld"].is_null());
  CHECK(cells[1]["loss"]["iops"]["estimate"].is_null());
  CHECK(cells[1]["inflation"]["lat_p99"]["estimate"].is_null());
  CHECK(cells[1]["shares"]["storage_layer"]["estimate"].is_null());  // no backing sample
  CHECK(cells[1]["shares"]["total"]["estimate"].is_null());
  CHECK(cells[1]["withheld"]["finding"] == "host-cache");
  CHECK(cells[1]["arms"]["guest"]["iops"] == Approx(3000));
}

TEST_CASE("failures are listed with their reason") {
  const json failures = report_of(test::sample_study())["failures"];
  REQUIRE(failures.size() == 2);
  CHECK(failures[0]["kind"] == "failed");
  CHECK(failures[0]["reason"] == "the guest's agent answers: not within 30s");
  CHECK(failures[1]["kind"] == "not measured");
  CHECK(failures[1]["place"] == "qcow2");
}

TEST_CASE("findings have severity, scope and evidence") {
  for (const json& finding : report_of(test::sample_study())["findings"]) {
    CHECK((finding["scope"] == "run" || finding["scope"] == "cell"));
    CHECK_FALSE(finding["remedy"].get<std::string>().empty());
    REQUIRE_FALSE(finding["occurrences"].empty());
    CHECK(finding["occurrences"][0]["cells"].empty() == (finding["scope"] == "run"));
  }
}
