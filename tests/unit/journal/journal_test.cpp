#include "journal/journal.hpp"

#include <fstream>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using namespace vmtax::journal;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

// Files as the resources: made by touching, removed by unlinking, and the order is noted.
struct Bench {
  test::TemporaryDirectory folder;
  std::vector<std::string> removed;

  Removers removers() {
    return {{"file",
             [this](const json& detail) {
               const auto path = detail.at("path").get<std::string>();
               if (std::filesystem::remove(path))
                 removed.push_back(std::filesystem::path{path}.filename());
             }},
            {"stuck", [](const json&) { throw EnvironmentError("held by pid 7"); }}};
  }
  std::filesystem::path journals() { return folder.path() / "journal"; }
  std::string make(Journal& journal, const std::string& name) {
    const auto path = (folder.path() / name).string();
    journal.will_make("file", {{"path", path}});
    std::ofstream(path) << "x";
    return path;
  }
};

}  // namespace

TEST_CASE("everything made is removed, newest first, and the journal with it") {
  Bench bench;
  {
    Journal journal(bench.journals(), "r1", bench.removers());
    bench.make(journal, "a");
    bench.make(journal, "b");
    journal.will_make("file", {{"path", "/nonexistent/never-made"}});
  }
  CHECK(bench.removed == std::vector<std::string>{"b", "a"});
  CHECK(std::filesystem::is_empty(bench.journals()));
}

TEST_CASE("a resource is written down before it is made") {
  Bench bench;
  Journal journal(bench.journals(), "r1", bench.removers());
  const auto entry = journal.will_make("file", {{"path", "/nonexistent/x"}});
  CHECK_THAT(read_text(bench.journals() / "r1.jsonl"), Contains("/nonexistent/x"));
  journal.remove(entry);
  CHECK_THAT(read_text(bench.journals() / "r1.jsonl"), Contains("gone"));
}

TEST_CASE("one that can't be removed stays written down, and the others go") {
  Bench bench;
  Journal journal(bench.journals(), "r1", bench.removers());
  bench.make(journal, "a");
  journal.will_make("stuck", json::object());
  bench.make(journal, "b");
  CHECK_THROWS_WITH(journal.remove_all(), Contains("held by pid 7"));
  CHECK(bench.removed == std::vector<std::string>{"b", "a"});
  CHECK(std::filesystem::exists(bench.journals() / "r1.jsonl"));
}

TEST_CASE("a dead run is cleaned, a living one is left alone") {
  Bench bench;
  const pid_t child = ::fork();
  if (child == 0) {
    auto* dead = new Journal(bench.journals(), "dead", bench.removers());
    bench.make(*dead, "orphan");
    ::_exit(0);  // as by kill -9: no destructor runs
  }
  ::waitpid(child, nullptr, 0);
  Journal alive(bench.journals(), "alive", bench.removers());
  const auto kept = bench.make(alive, "kept");

  const auto report = clean_dead_runs(bench.journals(), bench.removers());

  CHECK(bench.removed == std::vector<std::string>{"orphan"});
  REQUIRE(report.removed.size() == 1);
  REQUIRE(report.left_alone.size() == 1);
  CHECK_THAT(report.left_alone.front(), Contains("alive"));
  CHECK(std::filesystem::exists(kept));
  CHECK_FALSE(std::filesystem::exists(bench.journals() / "dead.jsonl"));
}

TEST_CASE("a torn last line was never made, and an unknown kind is left alone") {
  Bench bench;
  std::filesystem::create_directories(bench.journals());
  const auto path = (bench.folder.path() / "a").string();
  std::ofstream(path) << "x";
  std::ofstream(bench.journals() / "old.jsonl")
      << json{{"made", 1}, {"kind", "file"}, {"detail", {{"path", path}}}}.dump() << "\n"
      << json{{"made", 2}, {"kind", "wormhole"}, {"detail", json::object()}}.dump() << "\n"
      << R"({"made": 3, "kind": "file", "det)";
  const auto report = clean_dead_runs(bench.journals(), bench.removers());
  CHECK(bench.removed == std::vector<std::string>{"a"});
  REQUIRE(report.failed.size() == 1);
  CHECK_THAT(report.failed.front(), Contains("another version"));
  CHECK(std::filesystem::exists(bench.journals() / "old.jsonl"));
}

TEST_CASE("a run id is used once") {
  Bench bench;
  Journal first(bench.journals(), "r1", bench.removers());
  CHECK_THROWS_AS(Journal(bench.journals(), "r1", bench.removers()), EnvironmentError);
}

TEST_CASE("what an older resource holds goes in the same clean-up, once that one is gone") {
  // As an image that a guest has open: the guest's libvirt was made before the image.
  Bench bench;
  const auto folder = bench.folder.path() / "things";
  bool held = true;
  auto removers = bench.removers();
  removers["holder"] = [&](const json&) { held = false; };
  removers["held"] = [&](const json& detail) {
    if (held) throw EnvironmentError("held by a guest");
    std::filesystem::remove(detail.at("path").get<std::string>());
  };
  // A folder that others may use: left as it is while there is something in it.
  removers["shared"] = [&](const json& detail) {
    ::rmdir(detail.at("path").get<std::string>().c_str());
  };
  const auto make = [&](Journal& journal) {
    held = true;
    std::filesystem::create_directory(folder);
    journal.will_make("holder", json::object());
    journal.will_make("shared", {{"path", folder.string()}});
    journal.will_make("held", {{"path", (folder / "image").string()}});
    std::ofstream(folder / "image") << "x";
  };
  {
    Journal journal(bench.journals(), "r1", removers);
    make(journal);
    CHECK_NOTHROW(journal.remove_all());
    CHECK_FALSE(std::filesystem::exists(folder));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    make(*new Journal(bench.journals(), "dead", removers));
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  held = true;
  const auto report = clean_dead_runs(bench.journals(), removers);
  CHECK(report.failed.empty());
  CHECK(report.removed.size() == 3);
  CHECK_FALSE(std::filesystem::exists(folder));
  CHECK(std::filesystem::is_empty(bench.journals()));
}

TEST_CASE("clean-ups beside starting runs and beside each other take nothing from the living") {
  Bench bench;
  std::filesystem::create_directories(bench.journals());
  int stop[2];
  REQUIRE(::pipe(stop) == 0);
  std::vector<pid_t> cleaners;
  for (int i = 0; i < 2; ++i) {
    cleaners.push_back(::fork());
    if (cleaners.back() != 0) continue;
    ::close(stop[1]);
    ::fcntl(stop[0], F_SETFL, O_NONBLOCK);
    char byte;
    int faults = 0;
    while (::read(stop[0], &byte, 1) != 0) {
      try {
        faults += !clean_dead_runs(bench.journals(), bench.removers()).failed.empty();
      } catch (const std::exception&) {
        ++faults;
      }
    }
    ::_exit(faults == 0 ? 0 : 1);
  }
  for (int i = 0; i < 300; ++i) {
    Journal journal(bench.journals(), "run" + std::to_string(i), bench.removers());
    const auto path = bench.make(journal, "resource");
    REQUIRE(std::filesystem::exists(path));
    REQUIRE(std::filesystem::exists(bench.journals() / ("run" + std::to_string(i) + ".jsonl")));
  }
  ::close(stop[1]);
  ::close(stop[0]);
  for (const pid_t cleaner : cleaners) {
    int status = 0;
    ::waitpid(cleaner, &status, 0);
    CHECK(status == 0);
  }
  CHECK(std::filesystem::is_empty(bench.journals()));
}

TEST_CASE("journals that can't be read are no empty clean-up") {
  Bench bench;
  std::ofstream(bench.folder.path() / "journal") << "a file in its place";
  CHECK_THROWS_AS(clean_dead_runs(bench.journals(), bench.removers()), EnvironmentError);
  CHECK(clean_dead_runs(bench.folder.path() / "absent", bench.removers()).failed.empty());
}
