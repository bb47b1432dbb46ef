#include "kernel/null_engine.hpp"

#include "support/catch.hpp"

using namespace vmtax::kernel;

TEST_CASE("the null engine completes what was queued, once, and takes more meanwhile") {
  EngineSetup setup;
  setup.block_size = 4096;
  setup.slots = 3;
  NullEngine engine{setup};
  CHECK_FALSE(engine.has_completions());
  engine.queue(2, {Action::read, 0, nullptr});
  engine.queue(0, {Action::trim, 0, nullptr});
  std::vector<std::pair<std::uint32_t, std::int64_t>> done;
  REQUIRE(engine.has_completions());
  engine.reap([&](std::uint32_t slot, std::int64_t moved) {
    done.emplace_back(slot, moved);
    if (slot == 2) engine.queue(2, {Action::write, 0, nullptr});
  });
  CHECK(done == std::vector<std::pair<std::uint32_t, std::int64_t>>{{2, 4096}, {0, 0}});
  REQUIRE(engine.has_completions());
  engine.reap([&](std::uint32_t slot, std::int64_t) { CHECK(slot == 2); });
  CHECK_FALSE(engine.has_completions());
}
