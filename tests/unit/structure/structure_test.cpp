// The rules of the design that a build can't show: who may include whom, and where a vendor's
// header may stand.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace fs = std::filesystem;
using Names = std::set<std::string>;

namespace {

struct Include {
  std::string file;    ///< relative to the repository
  std::string folder;  ///< of the including file: "run", "kernel", ...
  std::string header;
};

std::vector<Include> includes_below(const char* top) {
  const fs::path root = fs::path{VMTAX_SOURCE_DIR};
  static const std::regex directive{R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])"};
  std::vector<Include> all;
  for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    const auto relative = fs::relative(entry.path(), root);
    const auto folder = relative.parent_path().filename().string();
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, match, directive))
        all.push_back({relative.string(), folder, match[1]});
  }
  return all;
}

std::string first_component(const std::string& header) {
  return header.substr(0, header.find('/'));
}

}  // namespace

TEST_CASE("harness folders include along the arrows only") {
  // protocol is the leaf of shared data types; base and journal know nothing of vmtax beyond it.
  const std::map<std::string, Names> may_include{
      {"base", {}},
      {"journal", {"base"}},
      {"scenario", {"base"}},
      {"plan", {"base", "scenario"}},
      {"drive", {"base", "journal"}},
      {"guest", {"base", "journal"}},
      {"store", {"base"}},
      {"analysis", {"base", "store"}},
      {"report", {"base", "store", "analysis"}},
      {"run", {"base", "journal", "scenario", "plan", "drive", "guest", "store"}},
      {"cli", {"base", "journal", "scenario", "plan", "drive", "guest", "store", "run", "report"}}};
  Names folders;
  for (const auto& [name, allowed] : may_include) folders.insert(name);
  int seen = 0;
  for (const auto& include : includes_below("harness")) {
    const auto target = first_component(include.header);
    if (!folders.contains(target) || !may_include.contains(include.folder)) continue;
    ++seen;
    INFO(include.file << " includes " << include.header);
    CHECK((target == include.folder || may_include.at(include.folder).contains(target)));
  }
  CHECK(seen > 50);
}

TEST_CASE("the agent includes nothing of the harness, and its protocol nothing of the agent") {
  const Names harness{"base",  "journal",  "scenario", "plan", "drive",
                      "store", "analysis", "report",   "run",  "cli"};
  for (const auto& include : includes_below("agent")) {
    INFO(include.file << " includes " << include.header);
    const auto target = first_component(include.header);
    CHECK_FALSE(harness.contains(target));
    if (include.folder == "protocol" && include.header.find('/') != std::string::npos)
      CHECK((target == "protocol" || target == "nlohmann" || target == "sys"));
  }
}

TEST_CASE("a vendor's header is included by one file") {
  const std::vector<std::pair<std::string, std::regex>> vendors{
      {"libvirt", std::regex{"^libvirt/"}},
      {"libguestfs", std::regex{"^guestfs"}},
      {"yaml-cpp", std::regex{"^yaml-cpp/"}},
      {"SQLite", std::regex{"^sqlite3"}},
      {"libblkid", std::regex{"^blkid"}},
      {"libudev", std::regex{"^libudev"}},
      {"pugixml", std::regex{"^pugixml"}},
      {"liburing", std::regex{"^liburing"}},
      {"spdlog", std::regex{"^spdlog/"}},
      {"Boost.Process", std::regex{"^boost/process/v2/process"}}};
  auto all = includes_below("harness");
  for (auto& include : includes_below("agent")) all.push_back(std::move(include));
  for (const auto& [vendor, pattern] : vendors) {
    Names files;
    for (const auto& include : all)
      if (std::regex_search(include.header, pattern)) files.insert(include.file);
    INFO(vendor << " is included by " << files.size() << " files");
    CHECK(files.size() <= 1);
    // The measuring loop inlines its engine, so liburing is behind a header of the kernel's own.
    for (const auto& file : files)
      CHECK((fs::path{file}.extension() == ".cpp" || vendor == "liburing"));
  }
}
