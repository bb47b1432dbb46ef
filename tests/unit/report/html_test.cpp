#include "report/html.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "report/assets.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"

using namespace vmtax;

namespace {

std::string html_of(const test::StudyBuilder& builder) {
  return report::to_html(report::make_model(analysis::analyse(builder.study())));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// The page without the charting library, whose text is not ours.
std::string own_part(std::string page) {
  const auto library = report::assets::chart_js();
  const auto at = page.find(library);
  REQUIRE(at != std::string::npos);
  return page.erase(at, library.size());
}

std::string embedded_data(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"vmtax-data\">";
  const auto from = page.find(open) + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

}  // namespace

TEST_CASE("the page asks nothing of anywhere") {
  const auto page = own_part(html_of(test::sample_study()));
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  CHECK(page.find("url(") == std::string::npos);
  CHECK_FALSE(std::regex_search(page, std::regex("<(link|img|iframe|object|embed|base)\\b")));
  CHECK_FALSE(std::regex_search(page, std::regex("<[a-z][^>]*\\ssrc=")));
  const std::regex reference("href=\"([^\"]*)\"");
  for (std::sregex_iterator it(page.begin(), page.end(), reference), end; it != end; ++it)
    CHECK((*it)[1].str().front() == '#');
  CHECK(page.find("Content-Security-Policy") != std::string::npos);
}

TEST_CASE("hostile names are text, in markup and in the data") {
  const auto calm = own_part(html_of(test::sample_study()));
  const auto page = own_part(html_of(test::sample_study(true)));
  CHECK(occurrences(page, "<script") == 3);
  CHECK(occurrences(page, "</script") == 3);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("\u2028") == std::string::npos);
  CHECK(page.find("\u202e") == std::string::npos);
  // The same elements, whatever the names.
  CHECK(occurrences(page, "<td") == occurrences(calm, "<td") + 2);  // one more fact row
  CHECK(occurrences(page, "<details") == occurrences(calm, "<details"));
  const auto data = nlohmann::json::parse(embedded_data(page));
  CHECK(data["charts"].size() == 3);
  CHECK(embedded_data(page).find('<') == std::string::npos);
}

TEST_CASE("charts hold bare, backing and every configuration, RAM-backed ones marked") {
  const auto data = nlohmann::json::parse(embedded_data(html_of(test::sample_study())));
  const auto& chart = data["charts"][0];
  CHECK(chart["unit"] == "IOPS");
  CHECK(data["charts"][2]["unit"] == "MB/s");
  std::vector<std::string> labels;
  for (const auto& series : chart["series"]) labels.push_back(series["label"]);
  CHECK(labels == std::vector<std::string>{"bare drive", "backing ext4/raw", "pass", "raw",
                                           "raw-writeback (RAM-backed)", "qcow2"});
  CHECK(chart["series"][0]["points"].size() == 2);
  CHECK(chart["series"][0]["points"][1]["x"] == 32);
}

TEST_CASE("a withheld cell is hatched with its reason, a missing one is no number") {
  const auto page = html_of(test::sample_study());
  CHECK(page.find("<td class=\"withheld\"><b>withheld</b><small>RAM-backed (cache: writeback)") !=
        std::string::npos);
  test::StudyBuilder empty;
  CHECK(html_of(empty).find("<td class=\"none\"><b>–</b><small>0/3 rounds</small>") !=
        std::string::npos);
}

TEST_CASE("a loss that is not told apart from 0 has no colour of gain or loss") {
  // seq-read of passthrough: -2.1 % [-8.8, 4.1].
  const auto page = html_of(test::sample_study());
  CHECK(page.find("<td class=\"unresolved\"><b>-2.1 %</b>") != std::string::npos);
  CHECK(page.find("<td class=\"loss4\"><b>55.2 %</b>") != std::string::npos);
}

TEST_CASE("facts: unaffected mitigations share a row, sizes are readable, the time is told") {
  auto builder = test::sample_study();
  for (const char* side : {"host", "guest"}) {
    auto& facts = builder.run.facts[side];
    facts["mitigations"] = {{"mds", "Not affected"}, {"l1tf", "Not affected"}};
    facts["memory_bytes"] = 1536u << 20;
  }
  builder.run.facts["host"]["mitigations"]["meltdown"] = "Mitigation: PTI";
  const auto page = html_of(builder);
  CHECK(page.find("mitigations, 2 more") != std::string::npos);
  CHECK(page.find("mitigations.mds") == std::string::npos);
  CHECK(page.find("Mitigation: PTI") != std::string::npos);
  CHECK(page.find("1610612736 (1.50 GiB)") != std::string::npos);
  CHECK(page.find("2023-11-14 22:13:20 UTC") != std::string::npos);
}
