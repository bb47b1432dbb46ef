#include "analysis/ratio.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"

using namespace vmtax::analysis;

namespace {

std::vector<double> logs_of(const std::vector<double>& ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

}  // namespace

TEST_CASE("quantiles of t are those of the printed tables") {
  // NIST/SEMATECH e-Handbook, 1.3.6.7.2, two-sided 95 % and 99 %.
  CHECK(t_quantile(0.95, 1) == Approx(12.706).margin(5e-4));
  CHECK(t_quantile(0.95, 2) == Approx(4.303).margin(5e-4));
  CHECK(t_quantile(0.95, 9) == Approx(2.262).margin(5e-4));
  CHECK(t_quantile(0.95, 30) == Approx(2.042).margin(5e-4));
  CHECK(t_quantile(0.99, 4) == Approx(4.604).margin(5e-4));
}

TEST_CASE("mean and deviation of a textbook sample") {
  // 2 4 4 4 5 5 7 9: mean 5, sum of squares 32.
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(mean(values) == Approx(5));
  CHECK(standard_deviation(values) == Approx(std::sqrt(32.0 / 7)));
  CHECK(standard_deviation(std::vector<double>{3}) == 0);
  CHECK(mean({}) == 0);
}

TEST_CASE("a ratio and its interval agree with an independent computation") {
  // Python's statistics module on the logarithms, t(0.975, 2) from its table.
  const auto estimate = ratio_estimate(logs_of({0.40, 0.44, 0.38}));
  REQUIRE(estimate);
  REQUIRE(estimate->interval);
  CHECK(estimate->n == 3);
  CHECK(estimate->value == Approx(0.405912184652));
  CHECK(estimate->interval->low == Approx(0.337420407855));
  CHECK(estimate->interval->high == Approx(0.488306865304));
}

TEST_CASE("two pairs have an interval, and a wide one") {
  const auto estimate = ratio_estimate(logs_of({0.5, 0.6}));
  REQUIRE(estimate);
  REQUIRE(estimate->interval);
  CHECK(estimate->value == Approx(0.547722557505));
  CHECK(estimate->interval->low == Approx(0.171994304445));
  CHECK(estimate->interval->high == Approx(1.744243804861));
}

TEST_CASE("one pair has a value and no interval, none has nothing") {
  const auto one = ratio_estimate(logs_of({0.4}));
  REQUIRE(one);
  CHECK(one->value == Approx(0.4));
  CHECK_FALSE(one->interval);
  CHECK_FALSE(ratio_estimate({}));
}

TEST_CASE("without any spread the interval has no width") {
  const auto estimate = ratio_estimate(logs_of({0.4, 0.4, 0.4}));
  REQUIRE(estimate);
  REQUIRE(estimate->interval);
  CHECK(estimate->interval->low == Approx(0.4));
  CHECK(estimate->interval->high == Approx(0.4));
}

TEST_CASE("a rate of zero has no logarithm") {
  CHECK_FALSE(log_ratio(0, 100));
  CHECK_FALSE(log_ratio(100, 0));
  CHECK_FALSE(log_ratio(-1, 100));
  CHECK_FALSE(log_ratio(std::numeric_limits<double>::infinity(), 100));
  CHECK_FALSE(log_ratio(std::nan(""), 100));
  CHECK(*log_ratio(200, 100) == Approx(std::log(2.0)));
}

TEST_CASE("a geometric mean is that of the logs, and needs positive values") {
  CHECK(*geometric_mean(std::vector<double>{1, 10, 100}) == Approx(10));
  CHECK_FALSE(geometric_mean({}));
  CHECK_FALSE(geometric_mean(std::vector<double>{1, 0}));
}

TEST_CASE("a loss turns the interval round and may be negative") {
  const Estimate loss = loss_of({0.4, Interval{0.3, 0.5}, 3});
  CHECK(loss.value == Approx(0.6));
  CHECK(loss.interval->low == Approx(0.5));
  CHECK(loss.interval->high == Approx(0.7));
  CHECK(loss_of({1.25, std::nullopt, 1}).value == Approx(-0.25));
  CHECK_FALSE(loss_of({1.25, std::nullopt, 1}).interval);
}
