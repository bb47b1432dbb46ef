#include "analysis/ratio.hpp"

#include <cmath>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace vmtax::analysis {

std::optional<double> log_ratio(double numerator, double denominator) {
  const auto usable = [](double x) { return x > 0 && std::isfinite(x); };
  if (!usable(numerator) || !usable(denominator)) return std::nullopt;
  return std::log(numerator) - std::log(denominator);
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> geometric_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> logs;
  for (const double value : values) {
    const auto log = log_ratio(value, 1);
    if (!log) return std::nullopt;
    logs.push_back(*log);
  }
  return std::exp(mean(logs));
}

double t_quantile(double confidence, std::size_t degrees) {
  const boost::math::students_t distribution(static_cast<double>(degrees));
  return boost::math::quantile(distribution, 0.5 + confidence / 2);
}

std::optional<Estimate> ratio_estimate(std::span<const double> log_ratios, double confidence) {
  const std::size_t n = log_ratios.size();
  if (n == 0) return std::nullopt;
  const double centre = mean(log_ratios);
  Estimate estimate{std::exp(centre), std::nullopt, n};
  if (n >= 2) {
    const double half = t_quantile(confidence, n - 1) * standard_deviation(log_ratios) /
                        std::sqrt(static_cast<double>(n));
    estimate.interval = Interval{std::exp(centre - half), std::exp(centre + half)};
  }
  return estimate;
}

Estimate loss_of(const Estimate& ratio) {
  Estimate loss{1 - ratio.value, std::nullopt, ratio.n};
  if (ratio.interval) loss.interval = Interval{1 - ratio.interval->high, 1 - ratio.interval->low};
  return loss;
}

}  // namespace vmtax::analysis
