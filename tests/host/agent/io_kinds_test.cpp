// The kinds of jobs beyond plain reads and writes, on real files and devices.
#include <fstream>
#include <set>

#include "devices.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;
using Catch::Contains;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string file_of_zeros(const TemporaryDirectory& folder, std::size_t size) {
  const auto path = (folder.path() / "zeros").string();
  std::ofstream{path, std::ios::binary} << std::string(size, '\0');
  return path;
}

std::set<std::size_t> written_blocks(const std::string& path) {
  const auto bytes = contents(path);
  std::set<std::size_t> blocks;
  for (std::size_t at = 0; at < bytes.size(); at += 4096)
    if (bytes.substr(at, 4096) != std::string(4096, '\0')) blocks.insert(at / 4096);
  return blocks;
}

}  // namespace

TEST_CASE("the null engine needs no target and touches none") {
  const auto result = io_json({"--engine", "null", "--runtime", "100ms", "--iodepth", "8"});
  CHECK(result["ios"] > 1000);
  CHECK(result["lat_ns"]["mean"].get<double>() < 1e6);
}

TEST_CASE("jobs add up, each in its own slice") {
  const TemporaryDirectory folder;
  const auto path = file_of_zeros(folder, 1 << 20);
  const auto result = io_json({"--target", path, "--engine", "psync", "--pattern", "write",
                               "--jobs", "4", "--runtime", "300ms"});
  CHECK(result["ios"] > 256);
  CHECK(result["achieved_depth"].get<double>() == Approx(4).epsilon(0.25));
  CHECK(written_blocks(path).size() == 256);
}

TEST_CASE("a mixed job reads and writes by its percentage") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  const auto engine = GENERATE("io_uring", "libaio", "psync");
  const auto result =
      io_json({"--target", file, "--engine", engine, "--pattern", "randrw", "--read-percent", "70",
               "--amount", "4MiB", "--iodepth", std::string{engine} == "psync" ? "1" : "8"});
  CHECK(result["read"]["ios"].get<int>() + result["write"]["ios"].get<int>() == 1024);
  CHECK(result["read"]["ios"].get<int>() == Approx(717).margin(70));
  CHECK(result["write"]["lat_ns"]["min"] > 0);
}

TEST_CASE("with a random map a pass writes every block, at any depth") {
  const TemporaryDirectory folder;
  const auto path = file_of_zeros(folder, 1 << 20);
  io_json({"--target", path, "--pattern", "randwrite", "--random-map", "--amount", "1MiB",
           "--iodepth", "8"});
  CHECK(written_blocks(path).size() == 256);
}

TEST_CASE("extents are written in their order, and nothing between them") {
  const TemporaryDirectory folder;
  const auto path = file_of_zeros(folder, 1 << 20);
  io_json({"--target", path, "--pattern", "write", "--amount", "20KiB", "--extent", "64KiB:8KiB",
           "--extent", "16KiB:6KiB", "--extent", "512KiB:64KiB"});
  CHECK(written_blocks(path) == std::set<std::size_t>{4, 16, 17, 128, 129});
  const auto beyond = agent_io({"--target", path, "--extent", "1MiB:4KiB", "--runtime", "1s"});
  CHECK(beyond.exit_code == 3);
  CHECK_THAT(beyond.err, Contains("an extent ends at 1028KiB"));
}

TEST_CASE("trims free their blocks") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 1);
  SECTION("of a file") {
    io_json({"--target", file, "--engine", "psync", "--pattern", "trim", "--amount", "512KiB"});
  }
  SECTION("of a device") {
    const Loop loop{file, 512};
    io_json({"--target", loop.path(), "--engine", "psync", "--pattern", "randtrim", "--random-map",
             "--span", "512KiB", "--amount", "512KiB"});
  }
  CHECK(written_blocks(file).size() == 128);
  CHECK(*written_blocks(file).begin() == 128);
}

TEST_CASE("flushes are counted and timed apart") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  const std::string engine = GENERATE("io_uring", "libaio", "psync");
  const std::string flush = GENERATE("--fsync", "--fdatasync");
  const auto result =
      io_json({"--target", file, "--engine", engine, "--pattern", "write", flush, "4", "--amount",
               "256KiB", "--final-flush", "--iodepth", engine == "psync" ? "1" : "4"});
  CHECK(result["ios"] == 64);
  CHECK(result["flushes"] == 15);
  CHECK(result["flush_ns"]["min"] > 0);
  CHECK(result["final_flush_ns"] > 0);
}

TEST_CASE("O_DSYNC writes work") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 1);
  CHECK(io_json({"--target", file, "--pattern", "write", "--dsync", "--amount", "64KiB"})["ios"] ==
        16);
}

TEST_CASE("an open loop keeps its rate") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 4);
  const std::string engine = GENERATE("io_uring", "libaio");
  const auto result = io_json({"--target", file, "--engine", engine, "--rate", "500", "--poisson",
                               "--iodepth", "16", "--runtime", "1s"});
  CHECK(result["iops"].get<double>() == Approx(500).epsilon(0.2));
}

TEST_CASE("what was written is verified; damage is found by its block") {
  const TemporaryDirectory folder;
  const auto path = file_of_zeros(folder, 1 << 20);
  const std::vector<std::string> write{
      "--target", path,     "--pattern", "randwrite", "--random-map", "--amount",
      "1MiB",     "--seed", "5",         "--verify",  "--iodepth",    "8"};
  CHECK(io_json(write)["ios"] == 256);
  const std::vector<std::string> read{"--target", path,     "--pattern", "read",    "--amount",
                                      "1MiB",     "--seed", "5",         "--verify"};
  CHECK(io_json(read)["ios"] == 256);
  {
    std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(40 * 4096 + 1000);
    file << "!";
    file.seekp(200 * 4096);
    file << std::string(4096, '\0');
  }
  const auto bad = agent_io(read);
  CHECK(bad.exit_code == 1);
  CHECK(bad.err ==
        "vmtax-agent: verification: 2 of 256 blocks are bad: offset 163840: its checksum is wrong; "
        "offset 819200: it has no header\n");
}

TEST_CASE("numbers of the instrument come with a result") {
  const auto result = io_json({"--engine", "null", "--runtime", "350ms"});
  CHECK(result["clock"]["read_ns"] > 0);
  CHECK_FALSE(result["clock"]["source"].get<std::string>().empty());
  CHECK(result["series"]["ios"].size() >= 4);
  CHECK(result["context_switches"].contains("involuntary"));
}
