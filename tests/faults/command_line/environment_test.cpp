// A hostile environment through the front door: what is wrong is said in one line each, and the
// exit code is the one that is documented.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "base/files.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// State, runtime and scenario of the test's own.
struct Bench {
  test::TemporaryDirectory folder;

  Bench() {
    ::setenv("VMTAX_STATE", (folder.path() / "state").c_str(), 1);
    ::setenv("VMTAX_RUNTIME", (folder.path() / "r").c_str(), 1);
  }
  ~Bench() { ::unsetenv("VMTAX_AGENT"); }

  std::string scenario(const std::string& drives, const std::string& guest = "") const {
    const auto path = folder.path() / "scenario.yaml";
    write_atomically(path, "version: 1\nname: bench\ndrives:\n" + drives +
                               "guest: {accelerator: tcg" + guest +
                               "}\nconfigurations: [{backing: passthrough}]\n"
                               "workloads: [{pattern: randread, block_size: 4KiB, iodepth: 1, "
                               "name: r}]\nmeasure: {runtime: 100ms, rounds: 1}\n");
    return path.string();
  }
  std::string stand_in(const fs::path& directory, const std::string& size = "64MiB") const {
    return "  - {name: disk, stand_in: {directory: " + directory.string() + ", size: " + size +
           "}}\n";
  }
};

// The lines of a check that are obstacles of this subject.
std::vector<std::string> obstacles(const std::string& table, const std::string& subject) {
  std::vector<std::string> found;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("OBSTACLE") && line.find(subject) != std::string::npos)
      found.push_back(line);
  return found;
}

ProcessOutput shell(const std::string& redirected) {
  return run_process({"bash", "-c", test::program("vmtax") + " " + redirected},
                     std::chrono::seconds{60});
}

}  // namespace

TEST_CASE("a check shows every obstacle at once") {
  Bench bench;
  std::ofstream(bench.folder.path() / "file") << "x";
  const auto scenario = bench.scenario(
      "  - {name: gone, path: /dev/disk/by-id/vmtax-none}\n"
      "  - {name: character, path: /dev/null}\n" +
      bench.stand_in(bench.folder.path() / "file" / "below"));
  ::setenv("VMTAX_AGENT", bench.folder.path().c_str(), 1);
  const auto output = test::vmtax({"check", scenario});
  INFO(output.out << output.err);
  CHECK(output.exit_code == 3);
  CHECK(obstacles(output.out, "drive gone").size() == 1);
  CHECK(obstacles(output.out, "drive character").size() == 1);
  CHECK(obstacles(output.out, "drive disk").size() == 1);
  CHECK(obstacles(output.out, "agent").size() >= 1);
  CHECK_THAT(output.out, Contains("memory"));

  const auto run = test::vmtax({"run", scenario, "-o", (bench.folder.path() / "out").string()});
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err,
             Contains("drive gone") && Contains("drive character") && Contains("drive disk"));
  CHECK_FALSE(fs::exists(bench.folder.path() / "out"));
  const auto plan = test::vmtax({"plan", scenario});
  CHECK(plan.exit_code == 3);
  CHECK_THAT(plan.err, Contains("drive gone") && Contains("drive character"));
}

TEST_CASE("stand-ins that fit one by one must also fit together") {
  Bench bench;
  const auto available = fs::space(bench.folder.path()).available;
  const auto each = std::to_string((available >> 20) * 2 / 3) + "MiB";
  auto drives = bench.stand_in(bench.folder.path() / "a", each);
  drives += "  - {name: second, stand_in: {directory: " + (bench.folder.path() / "b").string() +
            ", size: " + each + "}}\n";
  const auto output = test::vmtax({"check", bench.scenario(drives)});
  INFO(output.out << output.err);
  CHECK(output.exit_code == 3);
  CHECK(obstacles(output.out, "drive disk").empty());
  CHECK(obstacles(output.out, "drive second").size() == 1);
  CHECK_THAT(output.out, Contains("other stand-ins"));
}

TEST_CASE("a program that is no agent, and a libvirt that isn't there, are found by the check") {
  Bench bench;
  const auto agent = bench.folder.path() / "agent";
  std::ofstream(agent) << "#!/bin/sh\nexit 0\n";
  fs::permissions(agent, fs::perms::owner_all);
  ::setenv("VMTAX_AGENT", agent.c_str(), 1);
  const auto output = test::vmtax(
      {"check", bench.scenario(bench.stand_in(bench.folder.path()),
                               ", connection: \"qemu+unix:///system?socket=/nonexistent/s\"")});
  INFO(output.out << output.err);
  CHECK(output.exit_code == 3);
  CHECK(obstacles(output.out, "no working agent").size() == 1);
  CHECK(obstacles(output.out, "libvirt").size() == 1);
}

TEST_CASE("a check needs no root, and says what a run would") {
  if (::geteuid() != 0) VMTAX_SKIP("only root can become nobody");
  Bench bench;
  fs::permissions(bench.folder.path(), fs::perms::all);
  const auto scenario = bench.scenario(bench.stand_in(bench.folder.path() / "drives"));
  const auto output = run_process({"setpriv", "--reuid", "nobody", "--regid", "nogroup",
                                   "--clear-groups", test::program("vmtax"), "check", scenario},
                                  std::chrono::seconds{60});
  INFO(output.out << output.err);
  CHECK(output.exit_code == 3);
  CHECK(obstacles(output.out, "rights").size() == 1);
  CHECK(std::ranges::count(output.out, '\n') >= 6);
  CHECK_FALSE(fs::exists(bench.folder.path() / "drives"));
}

TEST_CASE("results go to standard output or the exit code says that they did not") {
  CHECK(shell("schema > /dev/full").exit_code == 3);
  CHECK_THAT(shell("schema > /dev/full").err, Contains("standard output can't be written"));
  const auto cut = shell("schema | head -1; echo ${PIPESTATUS[0]}");
  CHECK_THAT(cut.out, Contains("\n0\n"));
  CHECK(cut.err.empty());
  CHECK(shell("schema 2>&-").out == shell("schema").out);
  CHECK(shell("schema <&- >&- 2>&-").exit_code == 0);
}

TEST_CASE("places where results can't lie are named before anything is made") {
  Bench bench;
  const auto scenario = bench.scenario(bench.stand_in(bench.folder.path() / "drives"));
  const auto file = bench.folder.path() / "file";
  std::ofstream(file) << "x";
  const auto log = bench.folder.path() / "log";
  fs::create_directories(log / "vmtax.log");
  const auto foreign = bench.folder.path() / "foreign";
  fs::create_directory(foreign);
  std::ofstream(foreign / "vmtax.sqlite") << "not a database";
  for (const auto& place : {file, file / "below", log, foreign}) {
    const auto output = test::vmtax({"run", scenario, "-o", place.string()});
    INFO(place << ": " << output.err);
    CHECK(output.exit_code == 3);
    CHECK_THAT(output.err, Contains(place.string()) && !Contains("internal fault"));
    CHECK_FALSE(fs::exists(bench.folder.path() / "drives"));
  }
  CHECK(read_text(foreign / "vmtax.sqlite") == "not a database");
}

TEST_CASE("a clean-up that can't see or end what is there does not call it clean") {
  Bench bench;
  fs::create_directories(bench.folder.path() / "state" / "journal");
  std::ofstream(bench.folder.path() / "state" / "journal" / "old.jsonl")
      << R"({"made": 1, "kind": "wormhole", "detail": {}})"
      << "\n";
  const auto stays = test::vmtax({"clean"});
  CHECK(stays.exit_code == 3);
  CHECK_THAT(stays.out, Contains("still there: old"));
  fs::remove_all(bench.folder.path() / "state");
  CHECK_THAT(test::vmtax({"clean"}).out, Contains("nothing to clean"));
  std::ofstream(bench.folder.path() / "state") << "a file";
  CHECK(test::vmtax({"clean"}).exit_code == 3);
}
