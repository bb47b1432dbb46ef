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
    Action action;
  };
  std::function<std::int64_t(std::uint64_t number)> answer = [](std::uint64_t) { return 4096; };
  std::function<int(std::uint64_t number)> before_wait = [](std::uint64_t) { return 0; };
  std::deque<Io> queued, submitted, done;
  std::size_t most_in_flight = 0;
  std::uint64_t waits = 0, completed = 0;
  std::uint64_t submissions = 0;
  std::vector<std::uint64_t> offsets;
  std::vector<Action> actions;

  void queue(std::uint32_t slot, const Request& request) {
    queued.push_back({slot, request.action});
    actions.push_back(request.action);
    if (request.action != Action::flush) offsets.push_back(request.offset);
  }
  int submit() {
    ++submissions;
    submitted.insert(submitted.end(), queued.begin(), queued.end());
    queued.clear();
    most_in_flight = std::max(most_in_flight, submitted.size());
    return 0;
  }
  bool has_completions() const { return !done.empty(); }
  int wait() {
    if (const int result = before_wait(waits++)) return result;
    if (submitted.empty()) return 0;
    done.push_back(submitted.front());
    submitted.pop_front();
    return 0;
  }
  int wait_for(std::uint64_t) { return wait(); }
  template <class Take>
  void reap(Take&& take) {
    while (!done.empty()) {
      const auto io = done.front();
      done.pop_front();
      take(io.slot, io.action == Action::flush ? 0 : answer(completed++));
    }
  }
};

BufferPlan both_ways() {
  BufferPlan plan;
  plan.block_size = kib(4);
  plan.slots = 8;
  plan.reads = plan.writes = true;
  return plan;
}

LoopPlan eight_deep() {
  LoopPlan plan;
  plan.depth = 8;
  plan.block_size = 4096;
  return plan;
}

struct Bench {
  FakeEngine engine;
  Offsets offsets{false, Bytes{0}, mib(1), kib(4), 1};
  Buffers buffers{both_ways()};
  Actions actions{Action::read};
  Arrivals arrivals;
  LoopControl control;
  LoopPlan plan = eight_deep();

  // The latencies of all I/Os, and the rest of the record.
  struct Found : protocol::Latencies {
    LoopRecord record;
    std::uint64_t elapsed_ns = 0;
    std::uint64_t ramp_ns = 0;
  };

  Found run() {
    Found found;
    for (const auto action : {Action::read, Action::write}) found.record.expect(action);
    MeasuringLoop<FakeEngine>{
        engine, {offsets, actions, buffers, arrivals}, plan, control, found.record}
        .run();
    static_cast<protocol::Latencies&>(found) = found.record.total();
    found.elapsed_ns = found.record.elapsed_ns();
    found.ramp_ns = found.record.ramp_ns;
    return found;
  }
};

}  // namespace

TEST_CASE("an amount is done exactly once, at the asked depth") {
  Bench bench;
  bench.plan.blocks = 256;
  const auto record = bench.run();
  CHECK(record.lat.count() == 256);
  CHECK(bench.control.ios() == 256);
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
  CHECK(record.lat.count() < bench.control.ios());
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

TEST_CASE("I/Os are submitted as many as were reaped, or each by itself") {
  Bench bench;
  bench.plan.blocks = 64;
  SECTION("together") {
    bench.run();
    CHECK(bench.engine.submissions ==
          1 + 56);  // the first eight at once; the fake completes singly
  }
  SECTION("each") {
    bench.plan.submit_singly = true;
    bench.run();
    CHECK(bench.engine.submissions == 64);
  }
}

TEST_CASE("a flush follows every so many writes and is counted apart") {
  Bench bench;
  bench.plan.blocks = 64;
  bench.plan.depth = 1;
  bench.plan.flush_every = 4;
  bench.actions = Actions{Action::write};
  const auto found = bench.run();
  CHECK(found.lat.count() == 64);
  CHECK(found.record.flushes.count() == 15);  // none behind the last write
  REQUIRE(bench.engine.actions.size() == 79);
  for (std::size_t i = 0; i < 79; ++i)
    CHECK((bench.engine.actions[i] == Action::flush) == (i % 5 == 4));
}

TEST_CASE("reads of a mixed job ask for no flush, and each direction has its latencies") {
  Bench bench;
  bench.plan.blocks = 1000;
  bench.plan.flush_every = 10;
  bench.actions = Actions{70, 3};
  const auto found = bench.run();
  const auto of = [&](Action action) {
    return found.record.by_action[static_cast<std::size_t>(action)]->lat.count();
  };
  CHECK(of(Action::read) + of(Action::write) == 1000);
  CHECK(of(Action::read) == 708);  // by this seed
  CHECK(found.record.flushes.count() == 29);
}

TEST_CASE("a failed flush is a failure of the job") {
  CHECK_THROWS_WITH(throw_flush_failure(EIO), Contains("a flush failed: Input/output error"));
}

TEST_CASE("an open loop starts at its rate, whatever the device does in between") {
  Bench bench;
  bench.plan.runtime_ns = 300'000'000;
  bench.arrivals = Arrivals{2000, GENERATE(false, true), 1};
  const auto found = bench.run();
  const double expected = 2000 * static_cast<double>(found.elapsed_ns) / 1e9;
  CHECK(static_cast<double>(found.lat.count()) == Approx(expected).epsilon(0.1));
}

TEST_CASE("a stall of the device shows in the latency of all that was due meanwhile") {
  Bench bench;
  bench.plan.runtime_ns = 2'000'000'000;
  bench.arrivals = Arrivals{1000, false, 1};
  bool stalled = false;
  const std::uint64_t begin = now_ns();
  bench.engine.before_wait = [&](std::uint64_t) {
    if (stalled || now_ns() - begin < 200'000'000) return 0;
    stalled = true;
    while (now_ns() - begin < 1'200'000'000) {
    }
    return 0;
  };
  const auto found = bench.run();
  // Half of the arrivals fell into the second's stall and waited half a second on average. A loop
  // that waits for the device would show one I/O of a second.
  CHECK(found.lat.quantile_ns(0.99) > 900e6);
  CHECK(found.lat.quantile_ns(0.75) > 300e6);
  CHECK(found.lat.count() > 1500);
}

TEST_CASE("what an overloaded open loop could not start is counted") {
  Bench bench;
  bench.plan.runtime_ns = 50'000'000;
  bench.plan.depth = 1;
  bench.arrivals = Arrivals{10'000, false, 1};
  bench.engine.before_wait = [](std::uint64_t) {
    for (const auto until = now_ns() + 1'000'000; now_ns() < until;) {
    }
    return 0;
  };
  const auto found = bench.run();
  CHECK(found.record.unstarted > 300);
  CHECK(found.record.unstarted + found.lat.count() >= 490);
}

TEST_CASE("the series has every measured I/O") {
  Bench bench;
  bench.plan.ramp_ns = 10'000'000;
  bench.plan.runtime_ns = 250'000'000;
  const auto found = bench.run();
  std::uint64_t ios = 0, sum = 0, bytes = 0, highest = 0;
  for (const auto& window : found.record.series.windows()) {
    ios += window.ios;
    bytes += window.bytes;
    sum += window.lat_sum_ns;
    highest = std::max(highest, window.lat_max_ns);
  }
  CHECK(found.record.series.windows().size() >= 3);
  CHECK(ios == found.lat.count());
  CHECK(bytes == ios * 4096);
  CHECK(sum == found.lat.sum_ns());
  CHECK(highest == found.lat.max_ns());
}
