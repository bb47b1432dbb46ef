#include "kernel/actions.hpp"

#include <cmath>
#include <vector>

#include "kernel/arrivals.hpp"
#include "kernel/exact_math.hpp"
#include "support/catch.hpp"

using namespace vmtax::kernel;

TEST_CASE("a mixed job's directions follow its percentage and its seed") {
  Actions actions{70, 42};
  int reads = 0;
  for (int i = 0; i < 100'000; ++i) reads += actions.next() == Action::read;
  CHECK(reads == Approx(70'000).margin(700));
  Actions first{30, 1}, same{30, 1}, other{30, 2};
  int differences = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto action = first.next();
    CHECK(action == same.next());
    differences += action != other.next();
  }
  CHECK(differences > 300);
}

TEST_CASE("constant arrivals keep their rate to the last") {
  Arrivals arrivals{3, false, 1};
  arrivals.begin(1'000'000'000);
  CHECK(arrivals.next_ns() == 1'333'333'333);
  for (int i = 1; i < 3'000'000; ++i) arrivals.advance();
  CHECK(static_cast<double>(arrivals.next_ns()) == Approx(1e9 + 1e15).epsilon(1e-10));
}

TEST_CASE("Poisson arrivals are the same for a seed on every machine") {
  Arrivals arrivals{1000, true, 7};
  arrivals.begin(0);
  std::vector<std::uint64_t> times;
  for (int i = 0; i < 4; ++i, arrivals.advance()) times.push_back(arrivals.next_ns());
  CHECK(times == std::vector<std::uint64_t>{942045, 5029118, 5133634, 5673321});
}

TEST_CASE("the gaps of Poisson arrivals have the mean and the spread of an exponential") {
  Arrivals arrivals{1000, true, 7};
  arrivals.begin(0);
  double sum = 0, squares = 0;
  std::uint64_t before = 0;
  constexpr int draws = 200'000;
  for (int i = 0; i < draws; ++i, arrivals.advance()) {
    const double gap = static_cast<double>(arrivals.next_ns() - before);
    before = arrivals.next_ns();
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / draws;
  CHECK(mean == Approx(1e6).epsilon(0.01));
  CHECK(squares / draws - mean * mean == Approx(1e12).epsilon(0.02));
}

TEST_CASE("the exact logarithm and exponential are those of mathematics") {
  for (const double x : {1e-300, 1e-9, 0.5, 0.999999, 1.0, 1.5, 2.0, 1024.0, 1e18})
    CHECK(exact_log(x) == Approx(std::log(x)).epsilon(1e-12).margin(1e-15));
  for (const double x : {-600.0, -40.5, -1.0, 0.0, 0.3, 1.0, 100.0})
    CHECK(exact_exp(x) == Approx(std::exp(x)).epsilon(1e-12));
}
