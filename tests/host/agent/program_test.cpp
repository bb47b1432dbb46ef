#include <filesystem>

#include <sys/resource.h>
#include <sys/utsname.h>

#include "agent/facts.hpp"
#include "devices.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::test;

namespace {

bool sanitized() {
  const auto symbols = run_checked({"readelf", "--dyn-syms", program("vmtax-agent")}, tool_limit);
  return symbols.find("san_init") != std::string::npos;
}

}  // namespace

TEST_CASE("the agent is one small static file") {
  const auto agent = program("vmtax-agent");
  const auto headers = run_checked({"readelf", "--program-headers", agent}, tool_limit);
  if (sanitized()) VMTAX_SKIP("built with a sanitizer, which is never static");
  CHECK(headers.find("INTERP") == std::string::npos);
  CHECK(headers.find("DYNAMIC") == std::string::npos);
  CHECK(std::filesystem::file_size(agent) < 8U << 20);
}

TEST_CASE("the agent starts in a few milliseconds of CPU time") {
  if (sanitized()) VMTAX_SKIP("built with a sanitizer, which starts slowly");
  // CPU time and not the clock's, which also shows who else uses the machine.
  const auto children_ms = [] {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto ms = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
  };
  constexpr int starts = 20;
  const double before = children_ms();
  for (int i = 0; i < starts; ++i)
    REQUIRE(run_process({program("vmtax-agent"), "--version"}, tool_limit).ok());
  CHECK((children_ms() - before) / starts < 20);
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
