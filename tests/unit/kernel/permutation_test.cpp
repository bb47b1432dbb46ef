#include "kernel/permutation.hpp"

#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace vmtax::kernel;

TEST_CASE("a permutation reaches each number once, whatever their count") {
  for (const std::uint64_t count : {1, 2, 3, 4, 5, 7, 64, 65, 1000, 4097, 100'000}) {
    const Permutation permutation{count, 99};
    std::set<std::uint64_t> reached;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto block = permutation(i);
      REQUIRE(block < count);
      reached.insert(block);
    }
    CHECK(reached.size() == count);
  }
}

TEST_CASE("a permutation is the same for a key on every machine, and another for another") {
  const auto first = [](std::uint64_t key) {
    const Permutation permutation{1'000'000, key};
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < 5; ++i) numbers.push_back(permutation(i));
    return numbers;
  };
  CHECK(first(1) == std::vector<std::uint64_t>{974023, 576710, 353061, 141184, 729748});
  CHECK(first(1) != first(2));
}

TEST_CASE("neighbours are scattered") {
  constexpr std::uint64_t count = 1 << 20;
  const Permutation permutation{count, 5};
  // Distances of neighbours under a random order have a mean of a third of the range.
  double sum = 0;
  int in_lower_half = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const auto one = static_cast<double>(permutation(i)),
               two = static_cast<double>(permutation(i + 1));
    sum += std::abs(one - two);
    in_lower_half += one < count / 2.0;
  }
  CHECK(sum / 10'000 == Approx(count / 3.0).epsilon(0.03));
  CHECK(in_lower_half == Approx(5000).margin(200));
}
