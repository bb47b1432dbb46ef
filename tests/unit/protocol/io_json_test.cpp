#include "protocol/io_json.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::protocol;
using namespace std::chrono_literals;
using Catch::Contains;
using nlohmann::json;

namespace {

IoJob some_job() {
  IoJob job;
  job.target.serial = "vmtax-0001";
  job.offset = mib(3);
  job.span = gib(7);
  job.pattern = Pattern::randwrite;
  job.engine = Engine::psync;
  job.block_size = kib(64);
  job.direct = false;
  job.seed = ~0ULL;
  job.ramp = 1500ms;
  job.runtime = 30s;
  job.jobs = 4;
  job.distribution = *parse_distribution("zipf:1.2");
  job.extents = {{mib(1), kib(64)}, {Bytes{0}, kib(4)}};
  job.flushes = {8, true, true};
  job.dsync = true;
  job.rate = {5000, Arrivals::poisson};
  job.submit_singly = true;
  job.content = {50, 30};
  job.verify = {true, 7};
  job.sqpoll = true;
  return job;
}

IoResult some_result() {
  IoResult result;
  result.ios = 3;
  result.bytes = kib(12);
  result.elapsed = 2s;
  result.ramp_elapsed = 1s;
  result.job_elapsed = 4s;
  for (const std::uint64_t ns : {100ULL, 2000ULL, 1ULL << 42}) {
    result.lat.add(ns);
    result.slat.add(ns / 2);
    result.clat.add(ns - ns / 2);
  }
  result.reads.emplace();
  result.writes.emplace();
  for (auto* latencies : {&result.reads->lat, &result.reads->slat, &result.reads->clat})
    for (const std::uint64_t ns : {100, 200}) latencies->add(ns);
  for (auto* latencies : {&result.writes->lat, &result.writes->slat, &result.writes->clat})
    latencies->add(50);
  result.flushes.add(777);
  result.final_flush = 5ms;
  result.series.at(0).add(4096, 100);
  result.series.at(250'000'000).add(4096, 2000);
  result.unstarted = 9;
  result.context_switches = {11, 12};
  result.clock = {28.5, "tsc"};
  result.cpu = {3ms, 4ms};
  result.direct = true;
  result.target_path = "/dev/vda";
  result.target_size = gib(8);
  return result;
}

json changed(json object, const char* pointer, json value) {
  object[json::json_pointer{pointer}] = std::move(value);
  return object;
}

}  // namespace

TEST_CASE("jobs survive JSON") {
  auto job = some_job();
  CHECK(to_json(job_from_json(to_json(job))) == to_json(job));
  CHECK(to_json(job)["pattern"] == "randwrite");
  CHECK(to_json(job)["target"] == json{{"serial", "vmtax-0001"}});
  job.amount = gib(1);
  job.target = {"/dev/x", ""};
  const auto back = job_from_json(json::parse(to_json(job).dump()));
  CHECK(back.amount == gib(1));
  CHECK(back.target.path == "/dev/x");
  CHECK(back.seed == ~0ULL);
  CHECK(back.ramp == 1500ms);
  CHECK(back.extents[0].length == kib(64));
  CHECK(back.rate.arrivals == Arrivals::poisson);
  CHECK(back.verify.generation == 7);
}

TEST_CASE("results survive JSON without loss") {
  const auto result = some_result();
  const auto back = result_from_json(json::parse(to_json(result).dump()));
  CHECK(to_json(back) == to_json(result));
  CHECK(back.lat.overflow() == 1);
  CHECK(back.reads->lat.count() == 2);
  CHECK(back.series.windows() == result.series.windows());
  CHECK(back.clock.source == "tsc");
  CHECK(back.iops() == 1.5);
  CHECK(back.bytes_per_second() == 6144);
  const auto outcome = outcome_from_json(to_json(IoOutcome{result}));
  CHECK(std::get<IoResult>(outcome).clat.sparse() == result.clat.sparse());
}

TEST_CASE("failures survive JSON") {
  const IoFailure failure{"the I/O at offset 4096 failed: Input/output error", 5, kib(4)};
  const auto back = std::get<IoFailure>(outcome_from_json(to_json(IoOutcome{failure})));
  CHECK(back.reason == failure.reason);
  CHECK(back.error_number == 5);
  CHECK(back.offset == kib(4));
  CHECK_FALSE(
      std::get<IoFailure>(outcome_from_json(to_json(IoOutcome{IoFailure{"no", 0, {}}}))).offset);
}

TEST_CASE("a hostile job is refused with the member's name") {
  const auto good = to_json(some_job());
  const std::vector<std::pair<json, const char*>> bad{
      {json::array(), "no object"},
      {json(nullptr), "no object"},
      {json::object(), "missing"},
      {changed(good, "/pattern", "erase"), "pattern"},
      {changed(good, "/pattern", 3), "pattern"},
      {changed(good, "/engine", "IO_URING"), "engine"},
      {changed(good, "/iodepth", -1), "iodepth"},
      {changed(good, "/iodepth", 1e3), "iodepth"},
      {changed(good, "/iodepth", 5'000'000'000), "iodepth"},
      {changed(good, "/iodepth", "32"), "iodepth"},
      {changed(good, "/block_size", ~0ULL), "block_size"},
      {changed(good, "/runtime_ns", ~0ULL), "runtime_ns"},
      {changed(good, "/direct", 1), "direct"},
      {changed(good, "/target", "x"), "target"},
      {changed(good, "/target/extra", 1), "extra is unknown"},
      {changed(good, "/jobs", 1.5), "jobs"},
      {changed(good, "/jobs", nullptr), "jobs"},
      {changed(good, "/distribution", "normal"), "zipf:EXPONENT"},
      {changed(good, "/arrivals", "bursts"), "arrivals"},
      {changed(good, "/extents", json::array({1})), "extents"},
      {changed(good, "/extents/0/1", -4), "extent length"},
      {changed(good, "/verify", 1), "verify"},
      {changed(good, "/exec", "rm"), "exec is unknown"},
  };
  for (const auto& [object, words] : bad) {
    CAPTURE(object.dump());
    CHECK_THROWS_WITH(job_from_json(object), Contains(words));
    CHECK_THROWS_AS(job_from_json(object), std::invalid_argument);
  }
}

TEST_CASE("a hostile histogram or result is refused") {
  const auto good = to_json(some_result());
  const std::vector<json> bad{
      changed(good, "/ios", 4),
      changed(good, "/reads", nullptr),
      changed(good, "/reads", good["writes"]),
      changed(good, "/reads/slat", good["writes"]["slat"]),
      changed(good, "/flushes/count", 4),
      changed(good, "/series/window_ns", 0),
      changed(good, "/series/window_ns", 300'000'000),
      changed(good, "/series/windows/0", json::array({1, 2, 3})),
      changed(good, "/series/windows", json::array_t(3000, json::array({0, 0, 0, 0}))),
      changed(good, "/clock_read_ns", -1),
      changed(good, "/lat/count", 4),
      changed(good, "/lat/buckets/0/0", 1000000),
      changed(good, "/lat/buckets/0/0", -1),
      changed(good, "/lat/buckets/0/1", 1.5),
      changed(good, "/lat/buckets/0", json::array({1, 2, 3})),
      changed(good, "/lat/buckets", json::object()),
      changed(good, "/lat/sum_ns", 1),
      changed(good, "/lat/overflow", 2),
      changed(good, "/lat", nullptr),
      changed(good, "/target_path", 7),
      changed(good, "/lat/buckets", json::array_t(100000, json::array({0, 1}))),
  };
  for (const auto& object : bad) CHECK_THROWS_AS(result_from_json(object), std::invalid_argument);
  CHECK_THROWS_AS(outcome_from_json(json::object()), std::invalid_argument);
  CHECK_THROWS_AS(outcome_from_json({{"result", good}, {"failure", good}}), std::invalid_argument);
}

TEST_CASE("a result of the first protocol version, as old stores have it, is still read") {
  auto old = to_json(some_result());
  for (const char* name :
       {"reads", "writes", "flushes", "final_flush_ns", "series", "unstarted", "voluntary_switches",
        "involuntary_switches", "clock_read_ns", "clocksource"})
    old.erase(name);
  const auto result = result_from_json(old);
  CHECK(result.ios == 3);
  CHECK_FALSE(result.reads);
  CHECK(result.series.windows().empty());
}

TEST_CASE("nothing elapsed gives no rate") {
  IoResult result;
  result.ios = 5;
  CHECK(result.iops() == 0);
  CHECK(result.bytes_per_second() == 0);
  CHECK(result.achieved_depth() == 0);
}
