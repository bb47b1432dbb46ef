// Every file beside this one is a scenario with one fault. Its first line is the message that the
// author must see, after the file's name; its second says what the JSON Schema makes of it (see
// tests/unit/scenario/schema_agrees.py). Most are refused when they are read, those named plan-*
// when they are planned.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "plan/plan.hpp"
#include "support/catch.hpp"

namespace vmtax {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> bad_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(VMTAX_SOURCE_DIR "/tests/faults/scenarios"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string expected_message(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  const std::string begin = "# expect: ";
  REQUIRE(line.substr(0, begin.size()) == begin);
  return file.string() + ":" + line.substr(begin.size());
}

plan::Plan plan_of(const scenario::Scenario& scenario) {
  std::map<std::string, plan::DriveFacts> facts;
  for (const auto& drive : scenario.drives)
    facts[drive.name].size = std::get<scenario::StandIn>(drive.where).size;
  return plan::make_plan(scenario, facts);
}

// Empty when nothing was refused.
std::string refusal_of(const fs::path& file) {
  try {
    const auto scenario = scenario::load(file);
    if (file.filename().string().starts_with("plan-")) plan_of(scenario);
    return "";
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

TEST_CASE("each bad scenario is refused by its one line") {
  const auto files = bad_files();
  REQUIRE(files.size() >= 60);
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    const auto message = refusal_of(file);
    CHECK(message == expected_message(file));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("; allowed: ") != std::string::npos);
  }
}

}  // namespace
}  // namespace vmtax
