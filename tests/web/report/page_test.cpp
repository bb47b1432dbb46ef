// The report in a real browser: no script fails, nothing is refused, every chart has ink.
#include <chrono>
#include <regex>

#include "base/files.hpp"
#include "base/process.hpp"
#include "report/html.hpp"
#include "support/catch.hpp"
#include "support/study_builder.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using namespace std::chrono_literals;

namespace {

// The page keeps its own record, since a dumped page is all that comes back.
constexpr const char* watch = R"(<script>
window.faults = [];
addEventListener("error", (event) => faults.push(event.message), true);
addEventListener("securitypolicyviolation", (event) => faults.push(event.violatedDirective));
console.error = console.warn = (...words) => faults.push(words.join(" "));
</script>)";

constexpr const char* verdict = R"(<script>
setTimeout(() => {
  // Charts are drawn as they come into view, which a browser without a screen may never see; all of
  // them are before printing.
  dispatchEvent(new Event("beforeprint"));
  const canvases = [...document.querySelectorAll("canvas")];
  const inked = canvases.filter((canvas) => {
    const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return bytes.some((byte) => byte !== 0);
  });
  const said = document.createElement("pre");
  said.id = "verdict";
  said.textContent = `drawn ${inked.length} of ${canvases.length}; faults ${JSON.stringify(faults)}; ` +
    `too wide ${document.documentElement.scrollWidth > innerWidth}`;
  document.body.append(said);
}, 1500);
</script>)";

std::string watched(std::string page) {
  page.insert(page.find("<style>"), watch);
  page.insert(page.rfind("</body>"), verdict);
  return page;
}

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (auto path = find_program(name); !path.empty()) return path;
  }
  return "";
}

/// What the page says of itself in a window of this size, when it is about to be printed.
std::string verdict_of(const std::string& page, const std::string& window) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "report.html";
  write_atomically(file, watched(page));
  const auto dumped = run_checked(
      {browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
       "--disable-background-networking", "--disable-component-update", "--disable-sync",
       "--user-data-dir=" + (directory.path() / "profile").string(), "--window-size=" + window,
       "--virtual-time-budget=6000", "--dump-dom", "file://" + file.string()},
      50s);
  std::smatch said;
  if (!std::regex_search(dumped, said, std::regex("<pre id=\"verdict\">([^<]*)</pre>")))
    return "the page said nothing";
  return said[1];
}

}  // namespace

TEST_CASE("the report is drawn whole and without a fault, wide and narrow") {
  if (browser().empty()) VMTAX_SKIP("no Chromium is installed");
  const std::string window = GENERATE("1200,900", "500,900");
  const auto page = [](bool hostile_names) {
    return report::to_html(
        report::make_model(analysis::analyse(test::sample_study(hostile_names).study())));
  };
  const std::string good = "drawn 3 of 3; faults []; too wide false";
  CHECK(verdict_of(page(false), window) == good);
  CHECK(verdict_of(page(true), window) == good);
}

TEST_CASE("a fault of the page would be seen") {
  if (browser().empty()) VMTAX_SKIP("no Chromium is installed");
  auto page = report::to_html(report::make_model(analysis::analyse(test::sample_study().study())));
  page.insert(page.rfind("</body>"), "<script>undefinedFunction()</script>");
  const auto said = verdict_of(page, "1200,900");
  CHECK(said.find("undefinedFunction is not defined") != std::string::npos);
}
