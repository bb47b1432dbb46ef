#include "kernel/offsets.hpp"

#include <cmath>
#include <map>
#include <set>

#include "support/catch.hpp"

using namespace vmtax;
using namespace vmtax::kernel;

TEST_CASE("the generators give their published values") {
  SplitMix64 split{1234567};
  CHECK(split.next() == 6457827717110365317ULL);
  CHECK(split.next() == 3203168211198807973ULL);
}

TEST_CASE("random offsets are the same for a seed on every machine") {
  const auto first_five = [](std::uint64_t seed) {
    Offsets offsets{true, mib(1), gib(1), kib(4), seed};
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 5; ++i) drawn.push_back(offsets.next());
    return drawn;
  };
  CHECK(first_five(42) ==
        std::vector<std::uint64_t>{91095040, 407973888, 731238400, 993927168, 1065988096});
  CHECK(first_five(42) != first_five(43));
}

TEST_CASE("random offsets stay in the span, on blocks, and reach each block evenly") {
  // 100 blocks and a rest that is never touched
  Offsets offsets{true, Bytes{8192}, kib(4) * 100 + Bytes{4095}, kib(4), 7};
  std::map<std::uint64_t, int> hits;
  constexpr int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const auto offset = offsets.next();
    REQUIRE(offset >= 8192);
    REQUIRE(offset <= 8192 + 99 * 4096);
    REQUIRE(offset % 4096 == 0);
    ++hits[offset];
  }
  CHECK(hits.size() == 100);
  double chi_square = 0;
  for (const auto& [offset, count] : hits) chi_square += std::pow(count - 2000.0, 2) / 2000.0;
  CHECK(chi_square < 149.4);  // 99 degrees of freedom: exceeded once in a thousand
  CHECK(chi_square > 61.1);   // and not too even either
}

TEST_CASE("sequential offsets visit every block in order and begin again") {
  Offsets offsets{false, kib(64), kib(16) + Bytes{512}, kib(4), 7};
  for (int pass = 0; pass < 3; ++pass)
    for (std::uint64_t block = 0; block < 4; ++block) CHECK(offsets.next() == 65536 + block * 4096);
}

TEST_CASE("one block is a span too") {
  Offsets random{true, Bytes{512}, Bytes{512}, Bytes{512}, 1};
  Offsets sequential{false, Bytes{512}, Bytes{512}, Bytes{512}, 1};
  for (int i = 0; i < 10; ++i) {
    CHECK(random.next() == 512);
    CHECK(sequential.next() == 512);
  }
}

TEST_CASE("spans beyond 32 bits of blocks are reached to their end") {
  const std::uint64_t blocks = 1ULL << 40;
  Offsets offsets{true, Bytes{0}, Bytes{blocks * 512}, Bytes{512}, 11};
  std::uint64_t highest = 0;
  for (int i = 0; i < 10000; ++i) highest = std::max(highest, offsets.next());
  CHECK(highest > blocks * 512 / 1000 * 998);
  CHECK(highest < blocks * 512);
}
