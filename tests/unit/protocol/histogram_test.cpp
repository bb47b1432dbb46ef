#include "protocol/histogram.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"

using vmtax::protocol::Histogram;
using Values = std::vector<std::uint64_t>;

namespace {

const std::vector<double> quantiles{0.0, 0.001, 0.1,   0.25,   0.5, 0.75,
                                    0.9, 0.99,  0.999, 0.9999, 1.0};

double exact_quantile(Values sorted, double q) {
  std::sort(sorted.begin(), sorted.end());
  const auto rank =
      std::max<long double>(1, std::ceil(static_cast<long double>(q) * sorted.size() - 1e-9L));
  return static_cast<double>(sorted[static_cast<std::size_t>(rank) - 1]);
}

void check_against_exact(const Values& values) {
  Histogram histogram;
  long double sum = 0;
  for (const auto value : values) {
    histogram.add(value);
    sum += value;
  }
  for (const double q : quantiles) {
    const double exact = exact_quantile(values, q);
    CAPTURE(q, exact);
    CHECK(std::abs(histogram.quantile_ns(q) - exact) <= 0.005 * exact);
  }
  CHECK(histogram.mean_ns() == Approx(static_cast<double>(sum / values.size())).epsilon(1e-12));
  CHECK(histogram.min_ns() == *std::min_element(values.begin(), values.end()));
  CHECK(histogram.max_ns() == *std::max_element(values.begin(), values.end()));
}

}  // namespace

TEST_CASE("buckets tile the whole range without gap or overlap") {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < Histogram::bucket_count; ++i) {
    const auto [low, width] = Histogram::bounds_of(i);
    REQUIRE(low == next);
    REQUIRE(Histogram::index_of(low) == i);
    REQUIRE(Histogram::index_of(low + width - 1) == i);
    REQUIRE((low < 128 || width * 128 <= low));
    next = low + width;
  }
  CHECK(next == 1ULL << Histogram::max_value_bits);
}

TEST_CASE("quantiles are within 0.5 percent of the exact ones") {
  std::mt19937_64 random{7};
  Values values;
  SECTION("log-uniform over nine decades") {
    std::uniform_real_distribution<double> exponent{0, 9};
    for (int i = 0; i < 100000; ++i)
      values.push_back(static_cast<std::uint64_t>(std::pow(10, exponent(random))));
  }
  SECTION("heavy tail") {
    std::lognormal_distribution<double> tail{10, 3};
    for (int i = 0; i < 100000; ++i)
      values.push_back(
          std::min<std::uint64_t>(static_cast<std::uint64_t>(tail(random)), 1ULL << 39));
  }
  SECTION("two far peaks of a single value") {
    values.assign(9900, 101);
    values.insert(values.end(), 100, 999'999'999'999);
  }
  SECTION("both edges of every octave's buckets") {
    for (unsigned bit = 7; bit < 40; ++bit)
      for (const std::uint64_t offset : {0ULL, 1ULL, (1ULL << (bit - 7)) - 1, 1ULL << (bit - 7)})
        values.push_back((1ULL << bit) + offset);
  }
  SECTION("one value") {
    values = {123'456'789};
  }
  SECTION("ranks on the boundary") {
    for (std::uint64_t i = 1; i <= 100; ++i) values.push_back(i);
  }
  check_against_exact(values);
}

TEST_CASE("overflow is counted and answers the quantiles that fall into it") {
  Histogram histogram;
  for (int i = 0; i < 90; ++i) histogram.add(1000);
  for (int i = 0; i < 10; ++i) histogram.add(1ULL << 41);
  CHECK(histogram.count() == 100);
  CHECK(histogram.overflow() == 10);
  CHECK(histogram.quantile_ns(0.9) == Approx(1000).epsilon(0.005));
  CHECK(histogram.quantile_ns(0.91) == std::pow(2, 41));
  CHECK(histogram.max_ns() == 1ULL << 41);
}

TEST_CASE("an empty histogram answers zero") {
  const Histogram histogram;
  CHECK(histogram.quantile_ns(0.5) == 0);
  CHECK(histogram.mean_ns() == 0);
  CHECK(histogram.min_ns() == 0);
}

TEST_CASE("merging equals adding everything to one") {
  Histogram all, first, second;
  for (std::uint64_t i = 1; i < 20000; i += 7) {
    all.add(i * i);
    (i % 2 ? first : second).add(i * i);
  }
  second.add(1ULL << 50);
  all.add(1ULL << 50);
  first.merge(second);
  CHECK(first.sparse() == all.sparse());
  CHECK(first.sum_ns() == all.sum_ns());
  CHECK(first.overflow() == 1);
  CHECK(first.min_ns() == 1);
  CHECK(first.max_ns() == 1ULL << 50);
  first.clear();
  CHECK(first.count() == 0);
  CHECK(first.sparse().empty());
  CHECK(first.min_ns() == 0);
}

TEST_CASE("a stored histogram is restored, and one that can't be is refused") {
  Histogram histogram;
  for (const std::uint64_t value : {5ULL, 5ULL, 1000ULL, 1ULL << 41}) histogram.add(value);
  const auto sparse = histogram.sparse();
  const auto sum = histogram.sum_ns();
  Histogram restored;
  REQUIRE(Histogram::restore(sparse, 1, sum, 5, 1ULL << 41, restored));
  CHECK(restored.count() == 4);
  CHECK(restored.sparse() == sparse);
  CHECK(restored.quantile_ns(0.5) == 5);

  Histogram untouched;
  const auto refused = [&](auto buckets, std::uint64_t overflow, std::uint64_t total,
                           std::uint64_t min, std::uint64_t max) {
    return !Histogram::restore(buckets, overflow, total, min, max, untouched);
  };
  using Sparse = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
  CHECK(refused(Sparse{{Histogram::bucket_count, 1}}, 0, 5, 5, 5));
  CHECK(refused(Sparse{{5, 1}, {5, 1}}, 0, 10, 5, 5));
  CHECK(refused(Sparse{{5, 0}}, 0, 5, 5, 5));
  CHECK(refused(Sparse{{5, ~0ULL}, {6, 2}}, 0, 5, 5, 6));
  CHECK(refused(Sparse{{5, 2}}, 0, 9, 5, 5));
  CHECK(refused(Sparse{{5, 1}}, 0, 5, 6, 5));
  CHECK(refused(Sparse{{5, 1}, {9, 1}}, 0, 14, 5, 8));
  CHECK(refused(Sparse{}, 0, 1, 0, 0));
  CHECK(refused(sparse, 0, sum, 5, 1ULL << 41));
  CHECK(untouched.count() == 0);
}
