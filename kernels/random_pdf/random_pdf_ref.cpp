#include <cmath>

#include "kernels/random_pdf/random_pdf.h"

namespace mxinfer::kernels {
namespace {

double log_gamma(double x) {
  int sign = 1;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global
}

double uniform(const double*, const double* low, const double* high, std::int64_t) {
  return -std::log(*high - *low);
}

double normal(const double* x, const double* mu, const double* sigma, std::int64_t) {
  constexpr double kLogRootTwoPi = 0.9189385471184401;  // of the float32 pi that MXNet has
  const double z = (*x - *mu) / *sigma;
  return -0.5 * z * z - std::log(*sigma) - kLogRootTwoPi;
}

double gamma(const double* x, const double* alpha, const double* beta, std::int64_t) {
  return *alpha * std::log(*beta) + (*alpha - 1) * std::log(*x) - *beta * *x - log_gamma(*alpha);
}

double exponential(const double* x, const double* lam, const double*, std::int64_t) {
  return std::log(*lam) - *lam * *x;
}

double poisson(const double* x, const double* lam, const double*, std::int64_t) {
  return *x * std::log(*lam) - log_gamma(*x + 1) - *lam;
}

double negative_binomial(const double* x, const double* k, const double* p, std::int64_t) {
  return log_gamma(*x + *k) - log_gamma(*x + 1) - log_gamma(*k) + *k * std::log(*p) + *x * std::log(1 - *p);
}

double generalized_negative_binomial(const double* x, const double* mu, const double* alpha, std::int64_t n) {
  const double k = 1 / *alpha, p = 1 / (1 + *mu * *alpha);
  return negative_binomial(x, &k, &p, n);
}

double dirichlet(const double* x, const double* alpha, const double*, std::int64_t n) {
  double sum = 0, log_density = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += alpha[i];
    log_density += (alpha[i] - 1) * std::log(x[i]) - log_gamma(alpha[i]);
  }
  return log_density + log_gamma(sum);
}

struct Entry {
  std::string_view name;
  LogDensityFn run;
};

constexpr Entry kEntries[] = {
    {"uniform", uniform},
    {"normal", normal},
    {"gamma", gamma},
    {"exponential", exponential},
    {"poisson", poisson},
    {"negative_binomial", negative_binomial},
    {"generalized_negative_binomial", generalized_negative_binomial},
    {"dirichlet", dirichlet},
};

}  // namespace

LogDensityFn select_log_density(std::string_view distribution) {
  for (const Entry& entry : kEntries) {
    if (entry.name == distribution) return entry.run;
  }
  return nullptr;
}

}  // namespace mxinfer::kernels
