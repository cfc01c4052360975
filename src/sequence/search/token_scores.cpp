#include "sequence/search/token_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

[[noreturn]] void reject_score(std::size_t token, double score, const char* wanted) {
  fail(ErrorCode::invalid_argument, "the network gives ", score, " as the score of token ", token,
       "; expected ", wanted, ". Such scores come from unusable weights or from inputs out of range");
}

double as_logarithm(std::size_t token, double probability) {
  if (probability < 0) {
    reject_score(token, probability, "probabilities of 0 or more (GeneratorOptions::scores)");
  }
  return probability == 0 ? kImpossible : std::log(probability);
}

void copy_scores(Span<const float> scores, ScoreKind kind, Span<double> out) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = double{scores[i]};
    if (std::isnan(score) || score == -kImpossible) reject_score(i, score, "a number");
    out[i] = kind == ScoreKind::probabilities ? as_logarithm(i, score) : score;
  }
}

void penalise(Span<const std::int32_t> seen, double penalty, Span<double> scores) {
  std::vector<std::int32_t> once(seen.begin(), seen.end());
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  for (const std::int32_t token : once) {
    if (token < 0 || static_cast<std::size_t>(token) >= scores.size()) continue;
    double& score = scores[static_cast<std::size_t>(token)];
    score = score > 0 ? score / penalty : score * penalty;
  }
}

void log_softmax(Span<double> scores, double largest) {
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - largest);
  const double normaliser = largest + std::log(sum);
  for (double& score : scores) score -= normaliser;
}

}  // namespace

void log_probabilities(Span<const float> scores, const ScoreRules& rules, Span<const std::int32_t> seen,
                       Span<double> out) {
  copy_scores(scores, rules.kind, out);
  const bool penalised = rules.repetition_penalty != 1.0f;
  if (penalised) penalise(seen, double{rules.repetition_penalty}, out);
  const double largest = *std::max_element(out.begin(), out.end());
  if (largest == kImpossible) {
    fail(ErrorCode::invalid_argument, "the network gives none of ", scores.size(),
         " tokens a probability above 0; expected at least one");
  }
  if (penalised || rules.kind == ScoreKind::logits) log_softmax(out, largest);
}

}  // namespace mxinfer::api
