#include <fstream>
#include <set>

#include "devices.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;

namespace {

void check_result(const nlohmann::json& result, std::uint64_t block_size) {
  for (const char* field : {"ios", "bytes", "elapsed_ns", "iops", "bytes_per_second", "clat_ns",
                            "slat_ns", "lat_ns", "cpu", "errors"})
    REQUIRE(result.contains(field));
  for (const char* latency : {"clat_ns", "lat_ns"})
    for (const char* field : {"mean", "min", "max", "p50", "p90", "p99", "p99_9", "p99_99"})
      REQUIRE(result[latency].contains(field));
  const auto ios = result["ios"].get<std::uint64_t>();
  CHECK(ios > 0);
  CHECK(result["bytes"] == ios * block_size);
  CHECK(result["errors"] == 0);
  const double seconds = result["elapsed_ns"].get<double>() / 1e9;
  CHECK(result["iops"].get<double>() == Approx(static_cast<double>(ios) / seconds));
  CHECK(result["bytes_per_second"].get<double>() ==
        Approx(static_cast<double>(ios * block_size) / seconds));
  const auto& lat = result["lat_ns"];
  CHECK(lat["min"].get<double>() > 0);
  CHECK(lat["min"] <= lat["p50"]);
  CHECK(lat["p50"] <= lat["p99"]);
  CHECK(lat["p99"] <= lat["p99_99"]);
  CHECK(lat["p99_99"] <= lat["max"]);
  CHECK(result["lat_ns"]["mean"].get<double>() ==
        Approx(result["slat_ns"]["mean"].get<double>() + result["clat_ns"]["mean"].get<double>()));
  CHECK(result["cpu"]["user_ns"].get<std::int64_t>() +
            result["cpu"]["system_ns"].get<std::int64_t>() >
        0);
}

}  // namespace

TEST_CASE("every pattern and engine on a loop device by direct I/O") {
  const TemporaryDirectory folder;
  const Loop loop{written_file(folder, "disk", 32), 512};
  const auto pattern = GENERATE("read", "write", "randread", "randwrite");
  for (const std::string engine : {"io_uring", "libaio", "psync"}) {
    CAPTURE(pattern, engine);
    const auto result =
        io_json({"--target", loop.path(), "--pattern", pattern, "--engine", engine, "--iodepth",
                 engine == "psync" ? "1" : "16", "--runtime", "200ms", "--ramp", "50ms"});
    check_result(result, 4096);
    CHECK(result["direct"] == true);
    CHECK(result["target_path"] == loop.path());
    CHECK(result["target_size"] == 32 << 20);
    CHECK(result["elapsed_ns"] >= 200'000'000);
    CHECK(result["ramp_elapsed_ns"] >= 50'000'000);
    const double depth = engine == "psync" ? 1 : 16;
    CHECK(result["achieved_depth"].get<double>() == Approx(depth).epsilon(0.2));
  }
}

TEST_CASE("block sizes from a sector to a mebibyte, buffered too") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "file", 16);
  for (const auto& [text, bytes] :
       std::vector<std::pair<std::string, std::uint64_t>>{{"512B", 512}, {"1MiB", 1 << 20}})
    check_result(
        io_json({"--target", file, "--block-size", text, "--iodepth", "4", "--runtime", "100ms"}),
        bytes);
  const auto buffered = io_json({"--target", file, "--block-size", "1000B", "--buffered",
                                 "--runtime", "100ms", "--pattern", "read"});
  check_result(buffered, 1000);
  CHECK(buffered["direct"] == false);
}

TEST_CASE("an amount fills the whole span once, its odd end included, and nothing beyond") {
  const TemporaryDirectory folder;
  const auto path = (folder.path() / "zeros").string();
  std::ofstream{path, std::ios::binary} << std::string(4 << 20, '\0');
  const auto engine = GENERATE("io_uring", "psync");
  const std::uint64_t offset = 512 << 10, span = (2 << 20) + 1536;
  const auto result = io_json({"--target", path, "--pattern", "write", "--block-size", "64KiB",
                               "--engine", engine, "--offset", "512KiB", "--span",
                               std::to_string(span) + "B", "--amount", std::to_string(span) + "B"});
  CHECK(result["bytes"] == span);
  CHECK(result["ios"] == 33);
  std::ifstream file{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  REQUIRE(bytes.size() == 4 << 20);
  std::set<std::string> sectors;
  for (std::size_t at = 0; at < bytes.size(); at += 512) {
    const bool inside = at >= offset && at < offset + span;
    const auto sector = bytes.substr(at, 512);
    if (inside) sectors.insert(sector);
    if ((sector != std::string(512, '\0')) != inside) FAIL("sector at " << at);
  }
  CHECK(sectors.size() == span / 512);
}

TEST_CASE("the same seed writes to the same places, another one elsewhere") {
  const TemporaryDirectory folder;
  const auto places = [&](const std::string& name, const std::string& seed) {
    const auto path = (folder.path() / name).string();
    std::ofstream{path, std::ios::binary} << std::string(1 << 20, '\0');
    io_json({"--target", path, "--pattern", "randwrite", "--amount", "64KiB", "--seed", seed,
             "--iodepth", "4"});
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    std::set<std::size_t> blocks;
    for (std::size_t at = 0; at < bytes.size(); at += 4096)
      if (bytes.substr(at, 4096) != std::string(4096, '\0')) blocks.insert(at);
    return blocks;
  };
  const auto first = places("a", "1");
  CHECK(first.size() > 8);
  CHECK(first == places("b", "1"));
  CHECK(first != places("c", "2"));
}

TEST_CASE("a person's line") {
  const TemporaryDirectory folder;
  const auto output = agent_io({"--target", written_file(folder, "file", 1), "--runtime", "50ms"});
  CHECK(output.exit_code == 0);
  CHECK_THAT(output.out, Catch::StartsWith("randread 4KiB depth 1: ") &&
                             Catch::Contains(" IOPS, ") && Catch::Contains("p99"));
  CHECK(std::count(output.out.begin(), output.out.end(), '\n') == 1);
}
