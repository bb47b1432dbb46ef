// Every form shows the same numbers, to the printed digit: those of report.json, rounded.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/html.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/terminal.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;
using nlohmann::json;

namespace {

struct Forms {
  std::string html, markdown, terminal;
  json report;
};

Forms forms_of(const test::StudyBuilder& builder) {
  const auto model = report::make_model(analysis::analyse(builder.study()));
  return {report::to_html(model), report::to_markdown(model),
          report::to_terminal(model, 200, false), json::parse(report::to_json_text(model))};
}

/// Printed independently of the report's own functions.
std::string percent(const json& fraction) {
  return fmt::format("{:.1f}", std::round(fraction.get<double>() * 1000) / 10);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("losses and intervals agree in all forms") {
  const Forms forms = forms_of(test::sample_study());
  std::size_t compared = 0;
  for (const json& cell : forms.report["cells"]) {
    const json& loss = cell["loss"]["iops"];
    if (loss["estimate"].is_null()) continue;
    ++compared;
    const std::string value = percent(loss["estimate"]) + " %";
    const std::string interval = "[" + percent(loss["low"]) + ", " + percent(loss["high"]) + "]";
    const std::string key = cell["configuration"].get<std::string>() + " | " +
                            cell["workload"].get<std::string>() + " | " +
                            std::to_string(cell["iodepth"].get<int>()) + " | ";
    const auto row = forms.markdown.find("| " + key);
    REQUIRE(row != std::string::npos);
    const auto line = forms.markdown.substr(row, forms.markdown.find('\n', row) - row);
    CHECK(contains(line, value + " " + interval));
    CHECK(contains(forms.html, "<b>" + value + "</b><small>" + interval + "</small>"));
    CHECK(contains(forms.terminal, value + "  " + interval));
  }
  CHECK(compared == 15);
}

TEST_CASE("tail latency inflation agrees in all forms") {
  const Forms forms = forms_of(test::sample_study());
  for (const json& cell : forms.report["cells"]) {
    const json& p99 = cell["inflation"]["lat_p99"];
    if (p99["estimate"].is_null()) continue;
    const std::string text = fmt::format("{:.2f}x [{:.2f}, {:.2f}]", p99["estimate"].get<double>(),
                                         p99["low"].get<double>(), p99["high"].get<double>());
    CHECK(contains(forms.markdown, text));
    CHECK(contains(forms.html, text));
    CHECK(contains(forms.terminal, text));
  }
}

TEST_CASE("withheld losses are in no form") {
  // A round loss that would be seen anywhere: the cached guest at a third of the bare drive.
  test::StudyBuilder builder;
  builder.run.configurations.clear();
  builder.add_configuration("cached", "raw", "writeback");
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 900});
    builder.add_backing("ext4/raw", round, {.iops = 900});
    builder.add_guest("cached", round, {.iops = 300});
  }
  const Forms forms = forms_of(builder);
  for (const std::string& text : {forms.html, forms.markdown, forms.terminal}) {
    CHECK_FALSE(contains(text, "66.7 %"));
    CHECK_FALSE(contains(text, "33.3 %"));
    CHECK(contains(text, "withheld"));
  }
  CHECK_FALSE(contains(forms.report.dump(), "0.6666"));
}

TEST_CASE("a negative loss is printed as it is, in all forms") {
  test::StudyBuilder builder;
  for (std::uint32_t round = 0; round < 3; ++round) {
    builder.add_bare(round, {.iops = 800});
    builder.add_guest("pass", round, {.iops = 1000});
  }
  const Forms forms = forms_of(builder);
  for (const std::string& text : {forms.html, forms.markdown, forms.terminal})
    CHECK(contains(text, "-25.0 %"));
  CHECK(forms.report["cells"][0]["loss"]["iops"]["estimate"] == Approx(-0.25));
}
