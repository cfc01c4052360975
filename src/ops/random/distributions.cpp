#include "ops/random/distributions.h"

#include <limits>

namespace mxinfer::ops {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// (0, 1]: its logarithm is finite.
double positive_unit(RandomDraws& draws) {
  return 1 - draws.unit();
}

/// Of mean 1.
double unit_exponential(RandomDraws& draws) {
  return -std::log(positive_unit(draws));
}

double unit_normal(RandomDraws& draws) {
  const double radius = std::sqrt(2 * unit_exponential(draws));
  return radius * std::cos(6.283185307179586 * draws.unit());
}

double draw_uniform(RandomDraws& draws, double low, double high) {
  return low + (high - low) * draws.unit();
}

double draw_normal(RandomDraws& draws, double mean, double deviation) {
  return deviation >= 0 ? mean + deviation * unit_normal(draws) : kNaN;
}

double draw_exponential(RandomDraws& draws, double rate, double /*unused*/) {
  return rate > 0 ? unit_exponential(draws) / rate : kNaN;
}

double draw_scaled_exponential(RandomDraws& draws, double scale, double /*unused*/) {
  return scale >= 0 ? unit_exponential(draws) * scale : kNaN;
}

/// Marsaglia and Tsang: a cubed normal, accepted by its density. A shape below 1 is drawn as shape + 1, times
/// u^(1 / shape).
double unit_gamma(RandomDraws& draws, double shape) {
  if (shape < 1) return unit_gamma(draws, shape + 1) * std::pow(positive_unit(draws), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = unit_normal(draws), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(positive_unit(draws)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double draw_gamma(RandomDraws& draws, double shape, double scale) {
  const bool valid = shape > 0 && scale > 0 && std::isfinite(shape);
  return valid ? unit_gamma(draws, shape) * scale : kNaN;
}

/// Counts the arrivals of a process of rate 1 until `mean`.
double few_arrivals(RandomDraws& draws, double mean) {
  double count = 0;
  for (double time = unit_exponential(draws); time < mean; time += unit_exponential(draws)) ++count;
  return count;
}

/// Hoermann's transformed rejection: a quotient of uniforms, accepted by the distribution's density.
double many_arrivals(RandomDraws& draws, double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = draws.unit() - 0.5, v = positive_unit(draws), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || !std::isfinite(k) || (us < 0.013 && v > us)) continue;
    const double left = std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b);
    if (left <= k * std::log(mean) - mean - std::lgamma(k + 1)) return k;
  }
}

double draw_poisson(RandomDraws& draws, double mean, double /*unused*/) {
  constexpr double kMany = 10, kMost = 1e15;  // above kMost whole numbers have no fractions to reject by
  if (!(mean >= 0 && mean <= kMost)) return kNaN;
  return mean < kMany ? few_arrivals(draws, mean) : many_arrivals(draws, mean);
}

double draw_negative_binomial(RandomDraws& draws, double failures, double probability) {
  if (!(probability > 0 && probability <= 1)) return kNaN;
  if (failures == 0 || probability == 1) return 0;
  return draw_poisson(draws, draw_gamma(draws, failures, (1 - probability) / probability), 0);
}

double draw_generalized_negative_binomial(RandomDraws& draws, double mean, double dispersion) {
  if (dispersion == 0 || mean == 0) return draw_poisson(draws, mean, 0);
  return draw_poisson(draws, draw_gamma(draws, 1 / dispersion, dispersion * mean), 0);
}

double draw_bernoulli(RandomDraws& draws, double probability, double /*unused*/) {
  return probability >= 0 && probability <= 1 ? static_cast<double>(draws.unit() < probability) : kNaN;
}

double draw_gumbel(RandomDraws& draws, double location, double scale) {
  return scale >= 0 ? location - scale * std::log(std::max(unit_exponential(draws), 1e-300)) : kNaN;
}

double draw_logistic(RandomDraws& draws, double location, double scale) {
  const double u = std::max(draws.unit(), 0x1p-54);
  return scale >= 0 ? location + scale * std::log(u / (1 - u)) : kNaN;
}

/// Of the second kind, which begins at 0, as NumPy has it.
double draw_pareto(RandomDraws& draws, double shape, double /*unused*/) {
  return shape > 0 ? std::expm1(unit_exponential(draws) / shape) : kNaN;
}

double draw_power(RandomDraws& draws, double exponent, double /*unused*/) {
  return exponent > 0 ? std::pow(draws.unit(), 1 / exponent) : kNaN;
}

double draw_rayleigh(RandomDraws& draws, double scale, double /*unused*/) {
  return scale >= 0 ? scale * std::sqrt(2 * unit_exponential(draws)) : kNaN;
}

double draw_weibull(RandomDraws& draws, double shape, double /*unused*/) {
  return shape > 0 ? std::pow(unit_exponential(draws), 1 / shape) : kNaN;
}

const Distribution kDistributions[] = {
    {"bernoulli", draw_bernoulli},
    {"exponential", draw_exponential},
    {"gamma", draw_gamma},
    {"generalized_negative_binomial", draw_generalized_negative_binomial},
    {"gumbel", draw_gumbel},
    {"logistic", draw_logistic},
    {"negative_binomial", draw_negative_binomial},
    {"normal", draw_normal},
    {"pareto", draw_pareto},
    {"poisson", draw_poisson},
    {"power", draw_power},
    {"rayleigh", draw_rayleigh},
    {"scaled_exponential", draw_scaled_exponential},
    {"uniform", draw_uniform},
    {"weibull", draw_weibull},
};

}  // namespace

const Distribution& find_distribution(std::string_view name) {
  for (const Distribution& each : kDistributions) {
    if (each.name == name) return each;
  }
  fail(ErrorCode::internal, "distribution ", name, " is not there");
}

}  // namespace mxinfer::ops
