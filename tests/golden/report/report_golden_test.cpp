// The forms of one fixed run, compared whole. VMTAX_UPDATE_GOLDEN=1 writes the files anew: look at
// the difference before you commit it.
#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/terminal.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using nlohmann::json;

namespace {

report::Model model() {
  return report::make_model(analysis::analyse(test::sample_study().study()));
}

std::string golden(const std::string& name, const std::string& made) {
  const auto path = std::string(VMTAX_SOURCE_DIR) + "/tests/golden/report/" + name;
  if (std::getenv("VMTAX_UPDATE_GOLDEN")) write_atomically(path, made);
  return read_text(path);
}

/// Equal but for the last bits of a floating-point number, which differ between processors' exp and
/// log.
bool alike(const json& a, const json& b) {
  if (a.is_number_float() && b.is_number_float())
    return std::abs(a.get<double>() - b.get<double>()) <= 1e-12 + 1e-9 * std::abs(a.get<double>());
  if (a.type() != b.type() && !(a.is_number() && b.is_number())) return false;
  if (!a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a.items()) {
    const auto at = b.is_array() ? b.begin() + std::stol(key) : b.find(key);
    if (at == b.end() || !alike(value, *at)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("golden: report.md") {
  const auto made = report::to_markdown(model());
  CHECK(made == golden("report.md", made));
  CHECK(made.size() < 60'000);
}

TEST_CASE("golden: samples.csv") {
  const auto made = report::to_csv(model());
  CHECK(made == golden("samples.csv", made));
}

TEST_CASE("golden: report.json") {
  const auto made = report::to_json_text(model());
  CHECK(alike(json::parse(made), json::parse(golden("report.json", made))));
}

TEST_CASE("golden: summary.txt") {
  const auto made = report::to_terminal(model(), 110, false);
  CHECK(made == golden("summary.txt", made));
}
