#include "report/report.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using report::Format;
namespace fs = std::filesystem;

TEST_CASE("the formats that are asked for are written, from the store alone") {
  const test::TemporaryDirectory folder;
  const auto builder = test::sample_study();
  builder.write_to(folder.path() / "run");
  report::write_reports(folder.path() / "run", {Format::json, Format::csv}, folder.path() / "out");
  CHECK(fs::exists(folder.path() / "out/report.json"));
  CHECK(fs::exists(folder.path() / "out/samples.csv"));
  CHECK_FALSE(fs::exists(folder.path() / "out/report.html"));
  const auto json = nlohmann::json::parse(read_text(folder.path() / "out/report.json"));
  CHECK(json["cells"].size() == 20);
  CHECK(json["run"]["finished"] == true);
}

TEST_CASE("a report beside the store is fine, one of nothing is the operator's error") {
  const test::TemporaryDirectory folder;
  test::sample_study().write_to(folder.path());
  report::write_reports(folder.path(), {Format::html, Format::markdown}, folder.path());
  CHECK(read_text(folder.path() / "report.html").find("<!DOCTYPE html>") == 0);
  CHECK_THROWS_AS(report::write_reports(folder.path() / "absent", {Format::json}, folder.path()),
                  EnvironmentError);
}

TEST_CASE("a run without any sample has a report too") {
  const test::TemporaryDirectory folder;
  test::StudyBuilder builder;
  builder.finished = false;
  builder.write_to(folder.path());
  report::write_reports(folder.path(), {Format::html, Format::markdown, Format::csv, Format::json},
                        folder.path());
  const auto json = nlohmann::json::parse(read_text(folder.path() / "report.json"));
  CHECK(json["cells"][0]["arms"]["bare"].is_null());
  CHECK(json["cells"][0]["rounds_obtained"] == 0);
}

TEST_CASE("summary and failed cells come from an open store") {
  const test::TemporaryDirectory folder;
  test::sample_study().write_to(folder.path());
  const auto store = store::Store::open(folder.path());
  CHECK(report::failed_cells(store) == 1);
  CHECK(report::terminal_summary(store, 100, false).find("Drive nvme") != std::string::npos);
}

TEST_CASE("format names are read back, others are refused") {
  for (const auto format : {Format::html, Format::markdown, Format::csv, Format::json})
    CHECK(report::parse_format(report::to_text(format)) == format);
  CHECK_FALSE(report::parse_format("pdf"));
}
