#include "sequence/search/token_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/expect_error.h"

namespace mxinfer::api {
namespace {

std::vector<double> logs_of(const std::vector<float>& scores, const ScoreRules& rules,
                            const std::vector<std::int32_t>& seen = {}) {
  std::vector<double> result(scores.size());
  log_probabilities(Span<const float>(scores), rules, Span<const std::int32_t>(seen), Span<double>(result));
  return result;
}

TEST(LogProbabilities, AreTheLogSoftmaxOfLogits) {
  const auto result = logs_of({1000.0f, 1000.0f + static_cast<float>(std::log(3.0))}, {ScoreKind::logits});
  EXPECT_NEAR(result[0], std::log(0.25), 1e-4);
  EXPECT_NEAR(result[1], std::log(0.75), 1e-4);
}

TEST(LogProbabilities, AreWhatIsGivenOtherwise) {
  EXPECT_EQ(logs_of({-1.0f, -2.0f}, {ScoreKind::log_probabilities}), (std::vector<double>{-1, -2}));
  const auto result = logs_of({0.0f, 0.5f}, {ScoreKind::probabilities});
  EXPECT_EQ(result[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(result[1], std::log(0.5));
}

TEST(LogProbabilities, APenaltyCountsOnceForEachToken) {
  // Logits 2, -1, 0 become 1, -2, 0.
  const auto result = logs_of({2.0f, -1.0f, 0.0f}, {ScoreKind::logits, 2.0f}, {0, 1, 0, 0, 7, -1});
  const double sum = std::exp(1.0) + std::exp(-2.0) + 1;
  EXPECT_NEAR(result[0], 1 - std::log(sum), 1e-12);
  EXPECT_NEAR(result[1], -2 - std::log(sum), 1e-12);
  EXPECT_NEAR(result[2], -std::log(sum), 1e-12);
  const auto penalised = logs_of({0.5f, 0.5f}, {ScoreKind::probabilities, 2.0f}, {0});
  EXPECT_NEAR(std::exp(penalised[0]), 1.0 / 3, 1e-9);
  EXPECT_NEAR(std::exp(penalised[1]), 2.0 / 3, 1e-9);
}

TEST(LogProbabilities, NeedNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_MXINFER_ERROR(logs_of({0.0f, nan}, {ScoreKind::logits}), ErrorCode::invalid_argument, {"token 1"});
  EXPECT_MXINFER_ERROR(logs_of({infinity, 0.0f}, {ScoreKind::logits}), ErrorCode::invalid_argument,
                       {"token 0"});
  EXPECT_MXINFER_ERROR(logs_of({-infinity, -infinity}, {ScoreKind::logits}), ErrorCode::invalid_argument,
                       {"none of 2 tokens"});
  EXPECT_MXINFER_ERROR(logs_of({-0.5f, 1.5f}, {ScoreKind::probabilities}), ErrorCode::invalid_argument,
                       {"probabilities"});
  EXPECT_EQ(logs_of({-infinity, 0.0f}, {ScoreKind::logits})[1], 0);
}

}  // namespace
}  // namespace mxinfer::api
