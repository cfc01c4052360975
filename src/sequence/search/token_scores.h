// Converts a network's scores of tokens to log-probabilities.
//
//   std::vector<double> row(scores.size());
//   log_probabilities(scores, {ScoreKind::logits}, {}, row);   // row[i] = log p(token i)
#pragma once

#include <mxinfer/sequence/generate_options.h>
#include <mxinfer/span.h>

#include <cstdint>

namespace mxinfer::api {

struct ScoreRules {
  ScoreKind kind = ScoreKind::logits;  ///< not automatic
  float repetition_penalty = 1.0f;     ///< above 0
};

/// Writes the logarithm of the probability of each token; that of a token that is impossible is -infinity.
/// The score s of a token of `seen` is s / penalty where s > 0, and s * penalty where not, before the
/// softmax; of probabilities s is their logarithm. Log-probabilities and probabilities are used as given, and
/// normalised to a sum of 1 if there is a penalty. Errors (invalid_argument): a score that is NaN or
/// infinity, a probability below 0, no token that is possible. Precondition: `out` is as long as `scores`;
/// tokens of `seen` without a score are skipped.
void log_probabilities(Span<const float> scores, const ScoreRules& rules, Span<const std::int32_t> seen,
                       Span<double> out);

}  // namespace mxinfer::api
