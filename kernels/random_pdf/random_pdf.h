// Densities of random distributions, or their logarithms. Everything is computed in double.
//
//   uniform(low, high)           1 / (high - low), for any x
//   normal(mu, sigma)            exp(-((x - mu) / sigma)^2 / 2) / (sigma sqrt(2 pi))
//   gamma(alpha, beta)           beta^alpha x^(alpha - 1) exp(-beta x) / Gamma(alpha)
//   exponential(lam)             lam exp(-lam x)
//   poisson(lam)                 lam^x exp(-lam) / Gamma(x + 1)
//   negative_binomial(k, p)      Gamma(x + k) / (Gamma(x + 1) Gamma(k)) p^k (1 - p)^x
//   generalized_negative_binomial(mu, alpha)   that with k = 1 / alpha, p = 1 / (1 + mu alpha)
//   dirichlet(alpha)             Gamma(sum alpha) prod x_i^(alpha_i - 1) / Gamma(alpha_i), x a vector
#pragma once

#include <cstdint>
#include <string_view>

namespace mxinfer::kernels {

/// The logarithm of the density at `x` (of `n` numbers for dirichlet, one otherwise) under parameters a and b
/// (a of n numbers for dirichlet; b is not read for a single parameter).
using LogDensityFn = double (*)(const double* x, const double* a, const double* b, std::int64_t n);

/// By the names above; null for other names.
LogDensityFn select_log_density(std::string_view distribution);

}  // namespace mxinfer::kernels
