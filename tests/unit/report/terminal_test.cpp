#include "report/terminal.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

#include "base/text_table.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using namespace vmtax::report;

namespace {

std::string summary_of(const test::StudyBuilder& builder, int columns, bool colour) {
  return to_terminal(make_model(analysis::analyse(builder.study())), columns, colour);
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, width_of(line));
  return widest;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("no line is wider than the terminal") {
  const int columns = GENERATE(40, 60, 80, 120, 200);
  CHECK(widest_line(summary_of(test::sample_study(), columns, false)) <=
        static_cast<std::size_t>(columns));
  CHECK(widest_line(summary_of(test::sample_study(true), columns, false)) <=
        static_cast<std::size_t>(columns));
}

TEST_CASE("escapes are printed only with colours, and never those of a name") {
  CHECK_FALSE(contains(summary_of(test::sample_study(), 100, false), "\x1b"));
  CHECK(contains(summary_of(test::sample_study(), 100, true), "\x1b["));
  test::StudyBuilder builder;
  builder.with_clean_pairs();
  builder.run.name = "evil\x1b]0;title\x07";
  CHECK_FALSE(contains(summary_of(builder, 100, false), "\x1b"));
}

TEST_CASE("emulation is said before any number") {
  const auto text = summary_of(test::sample_study(), 100, false);
  const auto said = text.find("EMULATED: guests ran under TCG");
  REQUIRE(said != std::string::npos);
  CHECK(said < text.find("bare"));
  CHECK(contains(summary_of(test::StudyBuilder().with_clean_pairs(), 100, false),
                 "Guests ran under KVM"));
}

TEST_CASE("a row shows speeds, loss, interval, inflation and where time went") {
  const auto text = summary_of(test::StudyBuilder().with_clean_pairs(), 120, false);
  CHECK(contains(text, "60.0 %"));
  CHECK(contains(text, "[60.0, 60.0]"));
  CHECK(contains(text, "2.00x"));
  CHECK(contains(text, "3/3"));
  CHECK(contains(text, "Findings: none"));
  CHECK(contains(text, "measuring 87.0 % of 1 min 40 s"));
}

TEST_CASE("a narrow terminal loses columns, never the loss") {
  const auto text = summary_of(test::StudyBuilder().with_clean_pairs(), 50, false);
  CHECK(contains(text, "60.0 %"));
  CHECK_FALSE(contains(text, "2.00x"));
}

TEST_CASE("at 80 columns the interval stays and the bare speed goes") {
  const auto text = summary_of(test::sample_study(), 80, false);
  CHECK(contains(text, "[52.2, 57.9]"));
  CHECK(contains(text, "899 IOPS"));
  CHECK_FALSE(contains(text, "2,005 IOPS"));
}

TEST_CASE("failed cells are counted") {
  CHECK(contains(summary_of(test::sample_study(), 120, false),
                 "1 of 20 cells have failed measurements"));
}

TEST_CASE("configurations that differ at their names' end stay told apart") {
  auto builder = test::sample_study();
  const std::string stem = "passthrough-io_uring-iothread=";
  const auto before = builder.run.configurations.at(0).name;
  for (auto& sample : builder.samples)
    if (sample.configuration == before) sample.configuration = stem + "true";
  builder.run.configurations.at(0).name = stem + "true";
  const auto second = builder.run.configurations.at(1).name;
  for (auto& sample : builder.samples)
    if (sample.configuration == second) sample.configuration = stem + "false";
  builder.run.configurations.at(1).name = stem + "false";
  const auto summary = summary_of(builder, 80, false);
  CHECK(contains(summary, "  " + stem + "t"));
  CHECK(contains(summary, "  " + stem + "f"));
  CHECK(widest_line(summary) <= 80);
}
