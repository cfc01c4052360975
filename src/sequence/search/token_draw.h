// Draws a random token: the same one for the same seed, sample and step, on any thread.
//
//   DrawRules rules;
//   rules.top_k = 10;
//   std::int32_t token = draw_token(log_probabilities, rules, draw_number(seed, 0, step));
#pragma once

#include <mxinfer/span.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace mxinfer::api {

struct DrawRules {
  float temperature = 1.0f;  ///< above 0
  int top_k = 0;             ///< 0: all
  float top_p = 1.0f;        ///< in (0, 1]
};

/// A number of [0, 1) of 53 bits that follows from its arguments alone:
/// mix(mix(mix(0 + (seed + 1) g) + (sample + 1) g) + (step + 1) g) >> 11, times 2^-53, where g is
/// 0x9e3779b97f4a7c15 and mix the finaliser of splitmix64, all modulo 2^64.
double draw_number(std::uint64_t seed, std::uint64_t sample, std::uint64_t step);

/// The tokens that can be drawn, by ascending id, and their weights: exp((l - largest l) / temperature) of
/// each log-probability l above -infinity, of the top_k largest, and of these of the fewest largest whose
/// share of the weights is top_p or more. Of equal ones, the token with the lower id counts as larger.
/// Precondition: one is above -infinity.
std::vector<std::pair<std::int32_t, double>> drawable_tokens(Span<const double> log_probabilities,
                                                             const DrawRules& rules);

/// The first of drawable_tokens with which the sum of the weights is above number times all of them.
std::int32_t draw_token(Span<const double> log_probabilities, const DrawRules& rules, double number);

}  // namespace mxinfer::api
