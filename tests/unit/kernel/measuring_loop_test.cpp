#include "kernel/measuring_loop.hpp"

#include <deque>
#include <functional>
#include <set>

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::kernel;
using Catch::Contains;

namespace {

// A device that completes in order and can be made to misbehave at one I/O.
struct FakeEngine {
  struct Io {
    std::uint32_t slot;
    std::uint64_t offset;
  };
  std::function<std::int64_t(std::uint64_t number)> answer = [](std::uint64_t) { return 4096; };
  std::function<int(std::uint64_t number)> before_wait = [](std::uint64_t) { return 0; };
  std::deque<Io> queued, submitted, done;
  std::size_t most_in_flight = 0;
  std::uint64_t waits = 0, completed = 0;
  std::vector<std::uint64_t> offsets;

  void queue(std::uint32_t slot, std::uint64_t offset, std::byte*) {
    queued.push_back({slot, offset});
    offsets.push_back(offset);
  }
  int submit() {
    submitted.insert(submitted.end(), queued.begin(), queued.end());
    queued.clear();
    most_in_flight = std::max(most_in_flight, submitted.size());
    return 0;
  }
  bool has_completions() const { return !done.empty(); }
  int wait() {
    if (const int result = before_wait(waits++)) return result;
    done.push_back(submitted.front());
    submitted.pop_front();
    return 0;
  }
  template <class Take>
  void reap(Take&& take) {
    while (!done.empty()) {
      const auto io = done.front();
      done.pop_front();
      take(io.slot, answer(completed++));
    }
  }
};

struct Bench {
  FakeEngine engine;
  Offsets offsets{false, Bytes{0}, mib(1), kib(4), 1};
  Buffers buffers{kib(4), 8, false, 1};
  LoopControl control;
  LoopPlan plan{8, 4096, 0, 0, 0};

  LoopRecord run() {
    return MeasuringLoop<FakeEngine>{engine, offsets, buffers, plan, control}.run();
  }
};

}  // namespace

TEST_CASE("an amount is done exactly once, at the asked depth") {
  Bench bench;
  bench.plan.blocks = 256;
  const auto record = bench.run();
  CHECK(record.lat.count() == 256);
  CHECK(bench.control.ios == 256);
  CHECK(bench.engine.most_in_flight == 8);
  CHECK(std::set(bench.engine.offsets.begin(), bench.engine.offsets.end()).size() == 256);
  CHECK(record.elapsed_ns > 0);
  CHECK(record.lat.sum_ns() == record.slat.sum_ns() + record.clat.sum_ns());
}

TEST_CASE("fewer blocks than slots") {
  Bench bench;
  bench.plan.blocks = 3;
  CHECK(bench.run().lat.count() == 3);
  CHECK(bench.engine.most_in_flight == 3);
}

TEST_CASE("the ramp is not counted, and the measured time is the real one") {
  Bench bench;
  bench.plan.ramp_ns = 20'000'000;
  bench.plan.runtime_ns = 300'000'000;
  const auto record = bench.run();
  CHECK(record.ramp_ns >= 20'000'000);
  CHECK(record.elapsed_ns >= 300'000'000);
  CHECK(record.lat.count() > 0);
  CHECK(record.lat.count() < bench.control.ios);
  // Little's law: the depth that was asked is the depth that was had.
  CHECK(static_cast<double>(record.lat.sum_ns()) / static_cast<double>(record.elapsed_ns) ==
        Approx(8).epsilon(0.2));
}

TEST_CASE("a stall before the end is counted with its whole length") {
  Bench bench;
  bench.plan.runtime_ns = 20'000'000;
  constexpr std::uint64_t stall = 100'000'000;
  bench.engine.before_wait = [](std::uint64_t number) {
    if (number == 100)
      for (const auto until = now_ns() + stall; now_ns() < until;) {
      }
    return 0;
  };
  const auto record = bench.run();
  CHECK(record.elapsed_ns >= stall);
  CHECK(record.lat.max_ns() >= stall);
}

TEST_CASE("a short I/O is a failure with its offset") {
  Bench bench;
  bench.plan.blocks = 256;
  bench.engine.answer = [](std::uint64_t number) { return number == 5 ? 512 : 4096; };
  try {
    bench.run();
    FAIL("no failure");
  } catch (const Broken& broken) {
    CHECK(broken.offset == Bytes{5 * 4096});
    CHECK_THAT(broken.what(), Contains("offset 20480") && Contains("512 of 4096"));
  }
}

TEST_CASE(
    "errors of the device are failures with offset and errno, in the ramp and the drain too") {
  const auto number = GENERATE(0, 3, 250);
  Bench bench;
  bench.plan.blocks = 256;
  const auto failed = static_cast<std::uint64_t>(number);
  bench.engine.answer = [failed](std::uint64_t at) {
    return at == failed ? -std::int64_t{EIO} : 4096;
  };
  try {
    bench.run();
    FAIL("no failure");
  } catch (const Broken& broken) {
    CHECK(broken.error_number == EIO);
    CHECK(broken.offset == Bytes{failed * 4096});
    CHECK_THAT(broken.what(), Contains("Input/output error"));
  }
}

TEST_CASE("a signal alone changes nothing; with an order it ends the wait") {
  Bench bench;
  bench.plan.blocks = 256;
  SECTION("alone") {
    bench.engine.before_wait = [](std::uint64_t number) { return number % 3 ? 0 : -EINTR; };
    CHECK(bench.run().lat.count() == 256);
  }
  SECTION("with an order") {
    bench.engine.before_wait = [&](std::uint64_t number) {
      if (number < 10) return 0;
      bench.control.order = LoopControl::end_as_stalled;
      return -EINTR;
    };
    CHECK_THROWS_WITH(bench.run(), Contains("stalled") && Contains("8 I/Os"));
  }
}
