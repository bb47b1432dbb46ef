#include <chrono>
#include <filesystem>

#include <sys/utsname.h>

#include "agent/facts.hpp"
#include "devices.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;

TEST_CASE("the agent is one small static file") {
  const auto agent = program("vmtax-agent");
  const auto headers = run_checked({"readelf", "--program-headers", agent}, tool_limit);
  if (run_checked({"readelf", "--dyn-syms", agent}, tool_limit).find("san_init") !=
      std::string::npos)
    VMTAX_SKIP("built with a sanitizer, which is never static");
  CHECK(headers.find("INTERP") == std::string::npos);
  CHECK(headers.find("DYNAMIC") == std::string::npos);
  CHECK(std::filesystem::file_size(agent) < 8U << 20);
}

TEST_CASE("the agent starts about as fast as the smallest program") {
  const auto median_ms = [](const std::vector<std::string>& argv) {
    std::vector<double> times;
    for (int i = 0; i < 15; ++i) {
      const auto start = std::chrono::steady_clock::now();
      run_process(argv, tool_limit);
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  };
  const double ours = median_ms({program("vmtax-agent"), "--version"});
  const double smallest = median_ms({"/bin/true"});
  CAPTURE(ours, smallest);
  CHECK(ours < smallest + 20);
}

TEST_CASE("facts tell kernel, clock, processor and the target's queue") {
  const TemporaryDirectory folder;
  const auto file = written_file(folder, "disk", 4);
  const Loop loop{file, 4096};
  const auto facts = agent::collect_facts(loop.path());
  utsname names{};
  ::uname(&names);
  CHECK(facts["kernel"]["release"] == names.release);
  CHECK(facts["clocksource"].get<std::string>().size() > 1);
  CHECK(facts["cpu"]["count"] >= 1);
  CHECK(facts["cpu"]["model"].get<std::string>().size() > 3);
  CHECK(facts["memory_bytes"] > 64 << 20);
  CHECK(facts["mitigations"].is_object());
  CHECK(facts["steal_ticks"].is_number());
  const auto& target = facts["target"];
  CHECK(target["kind"] == "block");
  CHECK(target["size"] == 4 << 20);
  CHECK(target["queue"]["logical_block_size"] == "4096");
  CHECK(target["queue"].contains("scheduler"));
  CHECK(target["queue"].contains("max_sectors_kb"));
  CHECK(target["queue"].contains("rotational"));
  CHECK(agent::collect_facts(file)["target"]["kind"] == "file");
  CHECK(agent::collect_facts("/no/such")["target"]["error"] == "No such file or directory");
  CHECK_FALSE(agent::collect_facts("").contains("target"));
}
