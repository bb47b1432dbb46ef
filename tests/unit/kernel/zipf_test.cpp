#include "kernel/zipf.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "kernel/offsets.hpp"
#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::kernel;

namespace {

std::vector<std::uint64_t> counts_of(std::uint64_t ranks, double exponent, int draws) {
  const Zipf zipf{ranks, exponent};
  Xoshiro256 generator{3};
  std::vector<std::uint64_t> counts(ranks);
  for (int i = 0; i < draws; ++i) ++counts.at(zipf(generator));
  return counts;
}

}  // namespace

TEST_CASE("ranks come as often as Zipf's law says") {
  const double exponent = GENERATE(0.5, 1.0, 1.2, 2.0);
  constexpr std::uint64_t ranks = 5000;
  constexpr int draws = 2'000'000;
  const auto counts = counts_of(ranks, exponent, draws);
  double sum = 0;
  for (std::uint64_t rank = 1; rank <= ranks; ++rank)
    sum += std::pow(static_cast<double>(rank), -exponent);
  for (const std::uint64_t rank : {1, 2, 10, 100}) {
    const double expected = draws / sum * std::pow(static_cast<double>(rank), -exponent);
    CHECK(static_cast<double>(counts[rank - 1]) ==
          Approx(expected).margin(5 * std::sqrt(expected) + 1));
  }
  // The shared entries above rank 1024, as a whole and by halves.
  for (const auto& [from, to] : {std::pair{1025, 5000}, {1025, 2500}, {2501, 5000}}) {
    double expected = 0, found = 0;
    for (int rank = from; rank <= to; ++rank) {
      expected += draws / sum * std::pow(rank, -exponent);
      found += static_cast<double>(counts[static_cast<std::size_t>(rank) - 1]);
    }
    CHECK(found == Approx(expected).margin(5 * std::sqrt(expected) + 0.005 * expected + 1));
  }
}

TEST_CASE("zipf reaches all of a small range and stays in a huge one") {
  for (const std::uint64_t ranks : {1, 2, 3, 1024, 1025})
    CHECK_NOTHROW(counts_of(ranks, 1, 10'000));
  const std::uint64_t huge = 1ULL << 48;
  const Zipf zipf{huge, 0.5};
  Xoshiro256 generator{1};
  std::uint64_t highest = 0;
  for (int i = 0; i < 10'000; ++i) highest = std::max(highest, zipf(generator));
  CHECK(highest < huge);
  CHECK(highest > huge / 100 * 98);
}

TEST_CASE("zipf and hot offsets are the same for a seed on every machine") {
  const auto first = [](Choice choice, const protocol::Distribution& distribution) {
    Offsets offsets{BlockMap{Bytes{0}, gib(1), kib(4)}, {0, 262144}, choice, distribution, 42};
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 4; ++i) drawn.push_back(offsets.next() / 4096);
    return drawn;
  };
  using Kind = protocol::Distribution::Kind;
  CHECK(first(Choice::zipf, {Kind::zipf, 1200, 0, 0}) ==
        std::vector<std::uint64_t>{159505, 99431, 235500, 260412});
  CHECK(first(Choice::hot, {Kind::hot, 0, 90, 10}) ==
        std::vector<std::uint64_t>{9934, 24239, 207818, 22282});
  CHECK(first(Choice::each_once, {}) == std::vector<std::uint64_t>{244752, 262110, 18, 80752});
}

TEST_CASE("the hot part gets its share of the I/Os, evenly") {
  Offsets offsets{BlockMap{Bytes{0}, kib(4000), kib(4)},
                  {0, 1000},
                  Choice::hot,
                  {protocol::Distribution::Kind::hot, 0, 90, 10},
                  1};
  std::map<std::uint64_t, int> hits;
  int hot = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto block = offsets.next() / 4096;
    ++hits[block];
    hot += block < 100;
  }
  CHECK(hot == Approx(90'000).margin(500));
  CHECK(hits.size() == 1000);
  CHECK(hits[99] == Approx(900).margin(150));
  CHECK(hits[100] == Approx(11).margin(17));
}

TEST_CASE("with a random map each block comes once per pass, in another order each time") {
  Offsets offsets{BlockMap{mib(1), kib(400), kib(4)}, {0, 100}, Choice::each_once, {}, 1};
  std::vector<std::uint64_t> passes[2];
  for (auto& pass : passes)
    for (int i = 0; i < 100; ++i) pass.push_back(offsets.next());
  CHECK(passes[0] != passes[1]);
  for (auto& pass : passes) {
    CHECK_FALSE(std::is_sorted(pass.begin(), pass.end()));
    std::sort(pass.begin(), pass.end());
    for (std::uint64_t i = 0; i < 100; ++i) CHECK(pass[i] == 1048576 + i * 4096);
  }
}

TEST_CASE("a job's slice is its own") {
  Offsets offsets{BlockMap{Bytes{0}, kib(400), kib(4)}, {25, 25}, Choice::uniform, {}, 1};
  for (int i = 0; i < 1000; ++i) {
    const auto block = offsets.next() / 4096;
    REQUIRE(block >= 25);
    REQUIRE(block < 50);
  }
}
