// The distributions that MXNet's operators draw from, by name: each draws one number for given parameters.
//
//   const Distribution& normal = find_distribution("normal");
//   const double value = normal.draw(draws, /*loc*/ 0, /*scale*/ 1);
//
// Parameters out of range (a negative scale, a probability above 1) give NaN. The numbers follow MXNet's
// distributions, not its generators: they are other numbers than MXNet draws.
#pragma once

#include <string_view>

#include "ops/random/random_draws.h"

namespace mxinfer::ops {

struct Distribution {
  const char* name;
  double (*draw)(RandomDraws& draws, double first, double second);
};

/// The names: bernoulli, exponential (by its rate), gamma (shape, scale), generalized_negative_binomial
/// (mean, dispersion), gumbel, logistic, negative_binomial (failures, probability), normal, pareto, poisson,
/// power, rayleigh, scaled_exponential (by its scale), uniform, weibull. Error(internal) for others.
const Distribution& find_distribution(std::string_view name);

}  // namespace mxinfer::ops
