#include "sequence/search/beam_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sequence/fixed_network.h"

namespace mxinfer::api {
namespace {

using test::FixedNetwork;
using Ids = std::vector<std::int32_t>;

constexpr std::int32_t kEnd = 1;

SearchRules rules_of(int max_length) {
  SearchRules rules;
  rules.end_ids = {kEnd};
  rules.max_length = max_length;
  return rules;
}

std::vector<double> log_softmax(const std::vector<float>& scores) {
  double sum = 0;
  for (const float s : scores) sum += std::exp(double{s});
  std::vector<double> result;
  for (const float s : scores) result.push_back(double{s} - std::log(sum));
  return result;
}

struct Sentence {
  Ids tokens;  // the end token included
  double sum = 0;
  double score = 0;
  bool ended = false;
};

double penalised(double sum, double alpha, double k, std::size_t length) {
  return sum / std::pow((k + static_cast<double>(length)) / (k + 1), alpha);
}

// Every sentence of at most `length` tokens.
void all_sentences(const FixedNetwork& network, const BeamRules& beam, std::size_t length,
                   const Sentence& from, std::vector<Sentence>& found) {
  const std::vector<double> scores = log_softmax(network.scores(from.tokens));
  for (std::size_t token = 0; token < network.vocabulary; ++token) {
    Sentence next = from;
    next.tokens.push_back(static_cast<std::int32_t>(token));
    next.sum += scores[token];
    next.score = penalised(next.sum, beam.alpha, beam.k, next.tokens.size());
    next.ended = static_cast<std::int32_t>(token) == kEnd;
    if (next.ended || next.tokens.size() == length) {
      found.push_back(next);
    } else {
      all_sentences(network, beam, length, next, found);
    }
  }
}

std::vector<Sentence> sorted(std::vector<Sentence> sentences) {
  std::sort(sentences.begin(), sentences.end(),
            [](const Sentence& a, const Sentence& b) { return a.score > b.score; });
  return sentences;
}

// The search as its definition says it: all candidates, sorted, the first `width`.
std::vector<Sentence> plain_search(const FixedNetwork& network, const BeamRules& beam, int max_length) {
  std::vector<Sentence> beams(1);
  for (int step = 1; step <= max_length; ++step) {
    std::vector<Sentence> candidates;
    for (const Sentence& from : beams) {
      if (from.ended) {
        candidates.push_back(from);
        continue;
      }
      const std::vector<double> scores = log_softmax(network.scores(from.tokens));
      for (std::size_t token = 0; token < network.vocabulary; ++token) {
        Sentence next = from;
        next.tokens.push_back(static_cast<std::int32_t>(token));
        next.sum += scores[token];
        next.score = penalised(next.sum, beam.alpha, beam.k, next.tokens.size());
        next.ended = static_cast<std::int32_t>(token) == kEnd;
        candidates.push_back(next);
      }
    }
    beams = sorted(candidates);
    beams.resize(std::min(beams.size(), static_cast<std::size_t>(beam.width)));
  }
  return beams;
}

void expect_equal(const std::vector<Hypothesis>& got, const std::vector<Sentence>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE(i);
    Ids tokens = got[i].ids;
    if (got[i].end_id) tokens.push_back(*got[i].end_id);
    EXPECT_EQ(tokens, expected[i].tokens);
    EXPECT_NEAR(got[i].score, expected[i].score, 1e-9);
    EXPECT_NEAR(got[i].log_probability, expected[i].sum, 1e-9);
    EXPECT_EQ(got[i].finish, expected[i].ended ? Finish::end : Finish::length);
  }
}

TEST(BeamSearch, FindsTheBestOfAllSentencesIfNoneIsDropped) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const FixedNetwork network{4, seed};
    const BeamRules beam{1000, 0.7, 2};
    std::vector<Sentence> all;
    all_sentences(network, beam, 4, {}, all);
    BeamSearch search(rules_of(4), beam);
    expect_equal(test::search(search, network), sorted(all));
  }
}

TEST(BeamSearch, KeepsTheWidthBestOfEachStep) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const int width : {1, 2, 3, 5}) {
      for (const double alpha : {0.0, 0.6, 1.0, 2.0}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", width " << width << ", alpha " << alpha);
        const FixedNetwork network{6, seed};
        const BeamRules beam{width, alpha, 5};
        BeamSearch search(rules_of(7), beam);
        expect_equal(test::search(search, network), plain_search(network, beam, 7));
      }
    }
  }
}

TEST(BeamSearch, EqualScoresGoToTheEarlierBeamAndTheSmallerToken) {
  BeamSearch search(rules_of(2), {3, 1.0, 5});
  const std::vector<float> flat(4, 0.5f);
  const auto first = search.advance(Span<const float>(flat), 4);
  EXPECT_EQ(first, (std::vector<Extension>{{0, 0}, {0, 2}}));  // token 1 has ended
  const std::vector<float> flat_rows(8, 0.5f);
  EXPECT_TRUE(search.advance(Span<const float>(flat_rows), 4).empty());
  EXPECT_EQ(search.rows(), 0u);
}

TEST(BeamSearch, LeavesOutWhatIsImpossible) {
  SearchRules rules = rules_of(3);
  rules.scores.kind = ScoreKind::probabilities;
  BeamSearch search(rules, {4, 1.0, 5});
  const std::vector<float> one = {0, 0, 1, 0};
  EXPECT_EQ(search.advance(Span<const float>(one), 4), (std::vector<Extension>{{0, 2}}));
  const std::vector<float> end = {0, 1, 0, 0};
  EXPECT_TRUE(search.advance(Span<const float>(end), 4).empty());
  const auto results = search.results();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].ids, Ids{2});
  EXPECT_EQ(results[0].end_id, kEnd);
  EXPECT_EQ(results[0].score, 0);
}

TEST(BeamSearch, AnyEndIdAndTheCallbackEndASequence) {
  SearchRules rules = rules_of(5);
  rules.end_ids = {kEnd, 3};
  rules.stop = [](Span<const std::int32_t> ids) { return ids.size() == 2; };
  BeamSearch search(rules, {1, 1.0, 5});
  const std::vector<float> two = {0, 0, 9, 0};
  (void)search.advance(Span<const float>(two), 4);
  EXPECT_TRUE(search.advance(Span<const float>(two), 4).empty());
  EXPECT_EQ(search.results()[0].finish, Finish::stopped);
  EXPECT_EQ(search.results()[0].ids, (Ids{2, 2}));
  BeamSearch other(rules, {1, 1.0, 5});
  const std::vector<float> three = {0, 0, 0, 9};
  EXPECT_TRUE(other.advance(Span<const float>(three), 4).empty());
  EXPECT_EQ(other.results()[0].end_id, 3);
}

TEST(LengthPenalty, IsThatOfGnmt) {
  EXPECT_DOUBLE_EQ(length_penalty(0, 5, 9), 1);
  EXPECT_DOUBLE_EQ(length_penalty(1, 5, 1), 1);
  EXPECT_DOUBLE_EQ(length_penalty(2, 5, 7), 4);
}

}  // namespace
}  // namespace mxinfer::api
