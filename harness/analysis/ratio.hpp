// Ratios of paired measurements: the log ratio of each pair, their geometric mean, and a t
// interval.
//
// The replicate is the pair (one round), never the second within it. Ratios of rates and latencies
// are positive and multiplicative, so everything is done on logarithms and taken back at the end,
// as for bioequivalence: S. A. Julious, "Sample Sizes for Clinical Trials", 2010, ch. 5; the
// interval itself is the one-sample t interval of W. S. Gosset ("Student"), "The probable error of
// a mean", 1908.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace vmtax::analysis {

inline constexpr double confidence_level = 0.95;

struct Interval {
  double low = 0;
  double high = 0;
};

/// A value with its interval, or without one where a single pair gives no idea of the spread.
struct Estimate {
  double value = 0;
  std::optional<Interval> interval;
  std::size_t n = 0;
};

/// ln(numerator / denominator); nothing unless both are positive and finite: a rate of 0 is a
/// failed measurement and has no logarithm.
std::optional<double> log_ratio(double numerator, double denominator);

/// Arithmetic mean; 0 of nothing.
double mean(std::span<const double> values);

/// Sample standard deviation with divisor n - 1 (Bessel); needs two values, else 0.
double standard_deviation(std::span<const double> values);

/// exp(mean(ln x)); nothing for no values or where one is not positive and finite.
std::optional<double> geometric_mean(std::span<const double> values);

/// The two-sided quantile of Student's t: P(|T| <= t) = confidence. `degrees` >= 1.
double t_quantile(double confidence, std::size_t degrees);

/// Geometric mean of the ratios whose logarithms are given, and exp(m -+ t s / sqrt(n)). One pair:
/// a value without interval. No spread at all: an interval of width 0. Nothing: nothing.
std::optional<Estimate> ratio_estimate(std::span<const double> log_ratios,
                                       double confidence = confidence_level);

/// 1 - ratio, the interval turned round. Negative where the guest was faster; never clamped.
Estimate loss_of(const Estimate& ratio);

}  // namespace vmtax::analysis
