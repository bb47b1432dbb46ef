// Bad input through the front door: one clear line, exit code 2, nothing made.
#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace vmtax;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("each bad scenario gives one clear line and exit code 2") {
  int seen = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path{VMTAX_SOURCE_DIR} / "tests/faults/scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    const auto output = test::vmtax({"run", entry.path().string()});
    INFO(entry.path().filename().string() << ": " << output.err);
    CHECK(output.exit_code == 2);
    CHECK(output.out.empty());
    CHECK(std::ranges::count(output.err, '\n') == 1);
    CHECK_THAT(output.err, Contains(entry.path().filename().string() + ":"));
    ++seen;
  }
  CHECK(seen >= 40);
}

TEST_CASE("a wrong command line is a usage error") {
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{},
                                             {"rnu"},
                                             {"run"},
                                             {"run", "a", "b"},
                                             {"plan", "--jsn", "x"},
                                             {"report", "d", "--format", "pdf"},
                                             {"plan", "x", "--json", "--xml"}}) {
    const auto output = test::vmtax(bad);
    INFO(output.err);
    CHECK(output.exit_code == 2);
    CHECK(output.out.empty());
    CHECK(std::ranges::count(output.err, '\n') == 1);
  }
}

TEST_CASE("what is asked for goes to standard output") {
  const auto help = test::vmtax({"--help"});
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.out, Contains("Exit codes") && Contains("check") && Contains("clean"));
  CHECK_THAT(test::vmtax({"run", "--help"}).out, Contains("resumes"));
  CHECK_THAT(test::vmtax({"--version"}).out, Contains("vmtax 0."));
  CHECK_THAT(test::vmtax({"schema"}).out, Contains("json-schema.org"));
}

TEST_CASE("a directory without a run can't be reported") {
  const auto output = test::vmtax({"report", "/nonexistent/run"});
  CHECK(output.exit_code == 3);
  CHECK(std::ranges::count(output.err, '\n') == 1);
}
