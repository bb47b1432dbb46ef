#include "plan/random.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "plan/plan.hpp"
#include "support/catch.hpp"

namespace vmtax::plan {
namespace {

// From the reference implementation (Vigna, splitmix64.c), seed 1234567.
TEST_CASE("the generator is splitmix64") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317U);
  CHECK(random.next() == 3203168211198807973U);
  CHECK(random.next() == 9817491932198370423U);
  CHECK(random.next() == 4593380528125082431U);
  CHECK(random.next() == 16408922859458223821U);
}

TEST_CASE("numbers below a bound are even") {
  Random random(1);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 70'000; ++i) ++seen[random.below(7)];
  // 10,000 each; five standard deviations are 463.
  for (const int count : seen) CHECK(std::abs(count - 10'000) < 463);
  for (int i = 0; i < 100; ++i) CHECK(random.below(1) == 0);
}

TEST_CASE("a shuffle reaches every order, each as often") {
  Random random(2);
  std::map<std::string, int> seen;
  for (int i = 0; i < 24'000; ++i) {
    std::vector<char> items{'a', 'b', 'c', 'd'};
    random.shuffle(items);
    ++seen[std::string(items.begin(), items.end())];
  }
  REQUIRE(seen.size() == 24);
  for (const auto& [order, count] : seen) CHECK(std::abs(count - 1000) < 160);
}

TEST_CASE("a hash tells its fields apart") {
  CHECK(Hash{}.add("ab").add("c").value() != Hash{}.add("a").add("bc").value());
  CHECK(Hash{}.add(std::uint64_t{1}).value() != Hash{}.add("1").value());
  CHECK(Hash{}.add("").value() != Hash{}.value());
}

// Literal values: a plan must be the same on every machine and in every later version.
TEST_CASE("the seed of a job is fixed for ever") {
  CHECK(job_seed(42, "scratch", "seq-read", 1, 0, 0) == 5391454810156742U);
  CHECK(job_seed(42, "scratch", "seq-read", 32, 2, 5) == 6493504938385390U);
  CHECK(job_seed(0, "", "", 0, 0, 0) == 6553303689331918U);
}

TEST_CASE("each part of a job's place gives another seed, of at most 53 bits") {
  std::set<std::uint64_t> seeds;
  std::size_t asked = 0;
  for (const std::uint64_t seed : {1, 2})
    for (const auto* drive : {"a", "b"})
      for (const auto* workload : {"r", "w"})
        for (const std::uint32_t depth : {1U, 32U})
          for (std::uint32_t round = 0; round < 5; ++round)
            for (std::size_t visit = 0; visit < 10; ++visit, ++asked)
              seeds.insert(job_seed(seed, drive, workload, depth, round, visit));
  CHECK(seeds.size() == asked);
  CHECK(*seeds.rbegin() < std::uint64_t{1} << 53);
}

}  // namespace
}  // namespace vmtax::plan
