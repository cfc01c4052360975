#include "sequence/search/token_draw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sequence/fixed_network.h"
#include "sequence/search/sample_search.h"

namespace mxinfer::api {
namespace {

using Ids = std::vector<std::int32_t>;

std::vector<double> logs(const std::vector<double>& probabilities) {
  std::vector<double> result;
  for (const double p : probabilities) result.push_back(std::log(p));
  return result;
}

Ids kept(const std::vector<double>& probabilities, const DrawRules& rules) {
  const std::vector<double> scores = logs(probabilities);
  Ids result;
  for (const auto& [token, weight] : drawable_tokens(Span<const double>(scores), rules))
    result.push_back(token);
  return result;
}

// By python3: mix() and the formula of the header with whole numbers.
TEST(DrawNumber, IsTheFormulaOfTheHeader) {
  EXPECT_EQ(draw_number(0, 0, 0), 0x1.1c13ade1c7e5cp-3);
  EXPECT_EQ(draw_number(7, 0, 0), 0x1.2deb9fceb0230p-5);
  EXPECT_EQ(draw_number(7, 2, 3), 0x1.79732dfda3804p-3);
  EXPECT_EQ(draw_number(18446744073709551615u, 0, 1), 0x1.6705460be8829p-1);
}

TEST(DrawableTokens, AreTheTopKWithTheLowerIdFirst) {
  EXPECT_EQ(kept({0.1, 0.4, 0.1, 0.4}, {1.0f, 0, 1.0f}), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(kept({0.1, 0.4, 0.1, 0.4}, {1.0f, 1, 1.0f}), (Ids{1}));
  EXPECT_EQ(kept({0.1, 0.4, 0.1, 0.4}, {1.0f, 3, 1.0f}), (Ids{0, 1, 3}));
  EXPECT_EQ(kept({0.1, 0.4, 0.1, 0.4}, {1.0f, 9, 1.0f}), (Ids{0, 1, 2, 3}));
}

TEST(DrawableTokens, AreTheFewestThatHaveTopP) {
  const std::vector<double> p = {0.125, 0.5, 0.25, 0.125};
  EXPECT_EQ(kept(p, {1.0f, 0, 0.001f}), (Ids{1}));
  EXPECT_EQ(kept(p, {1.0f, 0, 0.5f}), (Ids{1}));
  EXPECT_EQ(kept(p, {1.0f, 0, 0.625f}), (Ids{1, 2}));
  EXPECT_EQ(kept(p, {1.0f, 0, 0.8125f}), (Ids{0, 1, 2}));
  EXPECT_EQ(kept(p, {1.0f, 0, 0.9375f}), (Ids{0, 1, 2, 3}));
  // The share is that of the top k, and of the weights at this temperature: 4 and 1 of 5 parts at 0.5.
  EXPECT_EQ(kept(p, {1.0f, 2, 0.65f}), (Ids{1}));
  EXPECT_EQ(kept(p, {0.5f, 2, 0.79f}), (Ids{1}));
  EXPECT_EQ(kept(p, {0.5f, 2, 0.81f}), (Ids{1, 2}));
}

TEST(DrawableTokens, AreNoImpossibleOnes) {
  EXPECT_EQ(kept({0.0, 0.5, 0.0, 0.5}, {1.0f, 3, 1.0f}), (Ids{1, 3}));
}

TEST(DrawToken, IsTheTokenWhoseShareHoldsTheNumber) {
  const std::vector<double> scores = logs({0.125, 0.5, 0.25, 0.125});
  const auto draw = [&](double number) { return draw_token(Span<const double>(scores), {}, number); };
  EXPECT_EQ(draw(0.0), 0);
  EXPECT_EQ(draw(0.12), 0);
  EXPECT_EQ(draw(0.13), 1);
  EXPECT_EQ(draw(0.62), 1);
  EXPECT_EQ(draw(0.63), 2);
  EXPECT_EQ(draw(0.88), 3);
  EXPECT_EQ(draw(0.999999999), 3);
}

TEST(DrawToken, AHighTemperatureLevelsAndALowOneSharpens) {
  const std::vector<double> scores = logs({0.2, 0.8});
  EXPECT_EQ(draw_token(Span<const double>(scores), {1000.0f, 0, 1.0f}, 0.499), 0);
  EXPECT_EQ(draw_token(Span<const double>(scores), {1000.0f, 0, 1.0f}, 0.501), 1);
  EXPECT_EQ(draw_token(Span<const double>(scores), {0.01f, 0, 1.0f}, 1e-9), 1);
}

TEST(SampleSearch, DrawsAsOftenAsTheNetworkSays) {
  constexpr int kSamples = 20000;
  SearchRules rules;
  rules.max_length = 1;
  rules.scores.kind = ScoreKind::probabilities;
  SampleSearch search(rules, {}, 3, kSamples);
  const std::vector<float> p = {0.125f, 0.5f, 0.25f, 0.125f};
  EXPECT_TRUE(search.advance(Span<const float>(p), 4).empty());
  std::vector<int> counts(4);
  for (const Hypothesis& sample : search.results()) ++counts[static_cast<std::size_t>(sample.ids.at(0))];
  for (std::size_t i = 0; i < 4; ++i) {
    const double deviation = std::sqrt(kSamples * double{p[i]} * (1 - double{p[i]}));
    EXPECT_NEAR(counts[i], kSamples * double{p[i]}, 4 * deviation) << i;
  }
}

TEST(SampleSearch, ASampleDoesNotDependOnThoseBesideIt) {
  const test::FixedNetwork network{9, 4};
  SearchRules rules;
  rules.end_ids = {1};
  rules.max_length = 12;
  SampleSearch many(rules, {}, 5, 6);
  const auto all = test::search(many, network);
  for (int count = 1; count < 6; ++count) {
    SampleSearch few(rules, {}, 5, count);
    const auto some = test::search(few, network);
    for (std::size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some[i].ids, all[i].ids);
      EXPECT_EQ(some[i].score, all[i].score);
    }
  }
  EXPECT_NE(all[0].ids, all[1].ids);
}

TEST(SampleSearch, ScoresAreOfTheNetworkWithoutTemperature) {
  SearchRules rules;
  rules.max_length = 2;
  rules.scores.kind = ScoreKind::probabilities;
  SampleSearch search(rules, {0.1f, 1, 1.0f}, 0, 1);
  const std::vector<float> p = {0.25f, 0.75f};
  (void)search.advance(Span<const float>(p), 2);
  (void)search.advance(Span<const float>(p), 2);
  EXPECT_EQ(search.results()[0].ids, (Ids{1, 1}));
  EXPECT_NEAR(search.results()[0].score, 2 * std::log(0.75), 1e-12);
}

}  // namespace
}  // namespace mxinfer::api
