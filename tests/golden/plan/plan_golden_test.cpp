// The whole plan of a fixed scenario, as text and JSON. A difference is a change of every user's
// plans: with VMTAX_UPDATE_GOLDEN=1 in the environment the files are written anew, to be read in
// the diff.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/files.hpp"
#include "plan/plan.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

const std::string folder = VMTAX_SOURCE_DIR "/tests/golden/plan/";

Plan fixed_plan() {
  // Marks and text name the file as it is given: relative, for the same bytes everywhere.
  const auto scenario = scenario::parse(read_text(folder + "scenario.yaml"), "scenario.yaml");
  return make_plan(scenario, {{"scratch", {gib(3)}}, {"real", {Bytes{280'065'171'456}, kib(4)}}});
}

void compare(const std::string& file, const std::string& text) {
  if (std::getenv("VMTAX_UPDATE_GOLDEN")) std::ofstream(folder + file) << text;
  CHECK(text == read_text(folder + file));
}

TEST_CASE("the plan of a fixed scenario is the same everywhere") {
  const auto plan = fixed_plan();
  compare("plan.txt", describe(plan));
  compare("plan.json", to_json(plan));
}

}  // namespace
}  // namespace vmtax::plan
