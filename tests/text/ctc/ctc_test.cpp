// CTC decoding against the sum over all paths.
#include <gtest/gtest.h>
#include <mxinfer/sequence/ctc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Labels = std::vector<std::int32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor make_scores(const Shape& shape, const std::vector<float>& values) {
  Tensor scores(DType::float32, shape);
  std::copy(values.begin(), values.end(), scores.data<float>());
  return scores;
}

Tensor random_logits(const Shape& shape, unsigned seed, float spread = 2) {
  Tensor scores(DType::float32, shape);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, spread);
  for (std::int64_t i = 0; i < scores.elements(); ++i) scores.data<float>()[i] = normal(random);
  return scores;
}

// (steps, classes) of logits as probabilities, in double.
Tensor softmax(const Tensor& logits) {
  Tensor probabilities(DType::float64, logits.shape());
  const std::int64_t classes = logits.shape().back();
  for (std::int64_t row = 0; row < logits.elements() / classes; ++row) {
    const float* from = logits.data<float>() + row * classes;
    double* to = probabilities.data<double>() + row * classes;
    double sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) sum += to[c] = std::exp(static_cast<double>(from[c]));
    for (std::int64_t c = 0; c < classes; ++c) to[c] /= sum;
  }
  return probabilities;
}

Labels read_path(const std::vector<std::int32_t>& path, std::int32_t blank) {
  Labels labels;
  std::int32_t before = blank;
  for (const std::int32_t label : path) {
    if (label != before && label != blank) labels.push_back(label);
    before = label;
  }
  return labels;
}

// The probability of each label sequence: the sum over all classes^steps paths.
std::map<Labels, double> all_sequences(const Tensor& probabilities, std::int32_t blank) {
  const std::int64_t steps = probabilities.shape()[0], classes = probabilities.shape()[1];
  std::map<Labels, double> sums;
  std::vector<std::int32_t> path(static_cast<std::size_t>(steps), 0);
  while (true) {
    double product = 1;
    for (std::int64_t t = 0; t < steps; ++t)
      product *= probabilities.data<double>()[t * classes + path[static_cast<std::size_t>(t)]];
    sums[read_path(path, blank)] += product;
    std::size_t digit = 0;
    while (digit < path.size() && ++path[digit] == classes) path[digit++] = 0;
    if (digit == path.size()) return sums;
  }
}

CtcBeamOptions beam(int width, int best, int blank = 0) {
  CtcBeamOptions options;
  options.scores = CtcScores::logits;
  options.beam_width = width;
  options.best = best;
  options.blank = blank;
  return options;
}

TEST(Ctc, GreedyReadsTheBestPath) {
  // a a _ a b
  const Tensor scores = make_scores({5, 3}, {.1f, .7f, .2f, .2f, .6f, .2f, .8f, .1f, .1f,  //
                                             .3f, .4f, .3f, 0, 0, 1});
  CtcOptions options;
  options.labels = ctc_labels("ab");
  const auto found = ctc_greedy(scores, options);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].labels, (Labels{1, 1, 2}));
  EXPECT_EQ(found[0].text, "aab");
  EXPECT_NEAR(found[0].log_probability, std::log(.7 * .6 * .8 * .4), 1e-6);
}

TEST(Ctc, BeamSearchSumsWhatGreedyDoesNot) {
  // The best path is blank, blank (0.36), but "a" has 0.24 + 0.24 + 0.16.
  const Tensor scores = make_scores({2, 2}, {.6f, .4f, .6f, .4f});
  EXPECT_TRUE(ctc_greedy(scores)[0].labels.empty());
  CtcBeamOptions options;
  options.best = 5;
  const auto found = ctc_beam_search(scores, options)[0];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].labels, Labels{1});
  EXPECT_NEAR(found[0].log_probability, std::log(.64), 1e-6);
  EXPECT_TRUE(found[1].labels.empty());
  EXPECT_NEAR(found[1].log_probability, std::log(.36), 1e-6);
}

TEST(Ctc, FullBeamGivesEverySequenceItsSumOverAllPaths) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::int64_t steps = 1 + seed % 6, classes = 2 + seed % 3;
    const int blank = seed % 2 == 0 ? 0 : static_cast<int>(classes) - 1;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Tensor logits = random_logits({steps, classes}, seed);
    const auto truth = all_sequences(softmax(logits), blank);
    const auto found = ctc_beam_search(logits, beam(65536, 65536, seed % 4 == 1 ? -1 : blank))[0];
    ASSERT_EQ(found.size(), truth.size());
    double total = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(truth.count(found[i].labels), 1u);
      EXPECT_NEAR(std::exp(found[i].log_probability), truth.at(found[i].labels), 1e-6);
      EXPECT_GE(found[i == 0 ? 0 : i - 1].log_probability, found[i].log_probability);
      total += std::exp(found[i].log_probability);
    }
    EXPECT_NEAR(total, 1, 1e-9);
  }
}

// The operator is held against what MXNet recorded; its loss is -ln of the probability of a label sequence.
TEST(Ctc, LogProbabilitiesAreThoseOfTheLossOfTheTraining) {
  for (const bool last : {false, true}) {
    const Tensor logits = random_logits({7, 1, 5}, last ? 21 : 22);
    CtcBeamOptions options = beam(65536, 40, last ? -1 : 0);
    options.layout = CtcLayout::tnc;
    const auto found = ctc_beam_search(logits, options)[0];
    ASSERT_EQ(found.size(), 40u);
    for (const CtcSequence& sequence : found) {
      Tensor labels(DType::float32, {1, 7});
      std::fill_n(labels.data<float>(), 7, last ? -1.0f : 0.0f);
      std::copy(sequence.labels.begin(), sequence.labels.end(), labels.data<float>());
      const auto loss =
          test::run_op("CTCLoss", {{"blank_label", last ? "last" : "first"}}, {&logits, &labels});
      EXPECT_NEAR(sequence.log_probability, -static_cast<double>(loss[0].data<float>()[0]), 1e-4);
    }
  }
}

// The same search without what makes it fast: every extension of every prefix, all of them sorted.
std::vector<std::pair<Labels, double>> plain_search(const Tensor& probabilities, std::size_t width) {
  struct Mass {
    double blank = 0, label = 0;
  };
  std::vector<std::pair<Labels, Mass>> entries = {{{}, {1, 0}}};
  const std::int64_t steps = probabilities.shape()[0], classes = probabilities.shape()[1];
  for (std::int64_t t = 0; t < steps; ++t) {
    const double* row = probabilities.data<double>() + t * classes;
    std::map<Labels, Mass> next;
    for (const auto& [prefix, mass] : entries) {
      next[prefix].blank += (mass.blank + mass.label) * row[0];
      if (!prefix.empty()) next[prefix].label += mass.label * row[prefix.back()];
      for (std::int32_t c = 1; c < classes; ++c) {
        Labels longer = prefix;
        longer.push_back(c);
        const bool again = !prefix.empty() && prefix.back() == c;
        next[longer].label += (again ? mass.blank : mass.blank + mass.label) * row[c];
      }
    }
    entries.assign(next.begin(), next.end());
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.second.blank + a.second.label > b.second.blank + b.second.label;
    });
    entries.resize(std::min(entries.size(), width));
  }
  std::vector<std::pair<Labels, double>> found;
  for (const auto& [prefix, mass] : entries) found.emplace_back(prefix, mass.blank + mass.label);
  return found;
}

TEST(Ctc, NarrowBeamsKeepWhatThePlainSearchKeeps) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Tensor logits = random_logits({12, 3 + seed % 7}, seed, seed % 2 == 0 ? 0.3f : 2.0f);
    const Tensor probabilities = softmax(logits);
    for (const int width : {1, 2, 3, 5, 17, 64}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", width " + std::to_string(width));
      const auto truth = plain_search(probabilities, static_cast<std::size_t>(width));
      const auto found = ctc_beam_search(logits, beam(width, width))[0];
      ASSERT_EQ(found.size(), truth.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].labels, truth[i].first);
        EXPECT_NEAR(std::exp(found[i].log_probability), truth[i].second, 1e-6);
      }
    }
  }
}

TEST(Ctc, ProbabilitiesLogarithmsAndLogitsAreTheSame) {
  const Tensor logits = random_logits({9, 5}, 3);
  const Tensor probabilities = softmax(logits);
  Tensor logarithms = probabilities.clone();
  for (std::int64_t i = 0; i < logarithms.elements(); ++i)
    logarithms.data<double>()[i] = std::log(logarithms.data<double>()[i]);
  CtcBeamOptions options = beam(8, 3);
  const auto expected = ctc_beam_search(logits, options)[0];
  const auto greedy = ctc_greedy(logits, options)[0];
  for (const CtcScores kind : {CtcScores::probabilities, CtcScores::log_probabilities}) {
    options.scores = kind;
    const Tensor& scores = kind == CtcScores::probabilities ? probabilities : logarithms;
    const auto found = ctc_beam_search(scores, options)[0];
    ASSERT_EQ(found.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(found[i].labels, expected[i].labels);
      EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-9);
    }
    EXPECT_EQ(ctc_greedy(scores, options)[0].labels, greedy.labels);
    EXPECT_NEAR(ctc_greedy(scores, options)[0].log_probability, greedy.log_probability, 1e-9);
  }
}

TEST(Ctc, BatchesOfBothLayoutsAndLengths) {
  constexpr std::int64_t kSequences = 3, kSteps = 7, kClasses = 4;
  const Tensor ntc = random_logits({kSequences, kSteps, kClasses}, 11);
  Tensor tnc(DType::float32, {kSteps, kSequences, kClasses});
  for (std::int64_t n = 0; n < kSequences; ++n) {
    for (std::int64_t t = 0; t < kSteps; ++t) {
      std::copy_n(ntc.data<float>() + (n * kSteps + t) * kClasses, kClasses,
                  tnc.data<float>() + (t * kSequences + n) * kClasses);
    }
  }
  CtcBeamOptions options = beam(16, 1);
  options.lengths = {7, 0, 4};
  const auto found = ctc_beam_search(ntc, options);
  const auto greedy = ctc_greedy(ntc, options);
  ASSERT_EQ(found.size(), 3u);
  ASSERT_EQ(greedy.size(), 3u);
  EXPECT_TRUE(greedy[1].labels.empty());
  EXPECT_EQ(greedy[1].log_probability, 0);
  ASSERT_EQ(found[1].size(), 1u);
  EXPECT_TRUE(found[1][0].labels.empty());
  EXPECT_EQ(found[1][0].log_probability, 0);
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{2}}) {
    const auto i = static_cast<std::size_t>(n);
    const TensorView one(ntc.data<float>() + n * kSteps * kClasses, Shape{options.lengths[i], kClasses});
    EXPECT_EQ(ctc_beam_search(one, beam(16, 1))[0][0].labels, found[i][0].labels);
    EXPECT_EQ(ctc_beam_search(one, beam(16, 1))[0][0].log_probability, found[i][0].log_probability);
    EXPECT_EQ(ctc_greedy(one, beam(1, 1))[0].labels, greedy[i].labels);
  }
  options.layout = CtcLayout::tnc;
  const auto other = ctc_beam_search(tnc, options);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(other[i][0].labels, found[i][0].labels);
}

TEST(Ctc, NamesOfAllClassesOrOfAllButTheBlank) {
  const Tensor scores = make_scores({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const auto text = [&](int blank, std::vector<std::string> labels) {
    CtcOptions options;
    options.blank = blank;
    options.labels = std::move(labels);
    return ctc_greedy(scores, options)[0].text;
  };
  EXPECT_EQ(text(0, {"_", "a", "b"}), "ab");
  EXPECT_EQ(text(0, {"a", "b"}), "ab");
  EXPECT_EQ(text(1, {"a", "b"}), "ab");
  EXPECT_EQ(text(-1, {"a", "b"}), "ab");
  EXPECT_EQ(text(2, ctc_labels("äß")), "äß");
  EXPECT_EQ(text(0, {}), "");
  EXPECT_EQ(ctc_labels("a水é"), (std::vector<std::string>{"a", "水", "é"}));
  EXPECT_MXINFER_ERROR(ctc_labels("ab\xff"), ErrorCode::invalid_argument, {"byte 2", "\\xff"});
}

TEST(Ctc, TwentyThousandClasses) {
  const Tensor logits = random_logits({60, 20000}, 5, 3);
  const auto found = ctc_beam_search(logits, beam(100, 100))[0];
  ASSERT_EQ(found.size(), 100u);
  for (std::size_t i = 1; i < found.size(); ++i)
    EXPECT_GE(found[i - 1].log_probability, found[i].log_probability);
  EXPECT_GE(found[0].log_probability, ctc_greedy(logits, beam(1, 1))[0].log_probability);
}

TEST(Ctc, LongSequencesNeitherUnderflowNorRunAway) {
  const Tensor logits = random_logits({3000, 6}, 9);
  const auto found = ctc_beam_search(logits, beam(8, 1))[0][0];
  EXPECT_TRUE(std::isfinite(found.log_probability));
  EXPECT_LT(found.log_probability, -700);
}

TEST(Ctc, OneClassIsTheBlank) {
  const Tensor scores = make_scores({2, 1}, {1, 1});
  EXPECT_TRUE(ctc_greedy(scores)[0].labels.empty());
  EXPECT_EQ(ctc_beam_search(scores)[0].size(), 1u);
  EXPECT_TRUE(ctc_beam_search(Tensor(DType::float32, {0, 5, 3})).empty());
}

TEST(Ctc, ThreadsGetTheSame) {
  const Tensor logits = random_logits({30, 20}, 1);
  const auto expected = ctc_beam_search(logits, beam(20, 1))[0][0];
  std::vector<std::thread> threads;
  std::vector<CtcSequence> found(4);
  for (auto& each : found)
    threads.emplace_back([&each, &logits] { each = ctc_beam_search(logits, beam(20, 1))[0][0]; });
  for (auto& thread : threads) thread.join();
  for (const auto& each : found) {
    EXPECT_EQ(each.labels, expected.labels);
    EXPECT_EQ(each.log_probability, expected.log_probability);
  }
}

CtcBeamOptions with_scores(CtcScores scores) {
  CtcBeamOptions options;
  options.scores = scores;
  return options;
}

TEST(CtcErrors, ScoresThatAreNoScores) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto one = [](float value) { return make_scores({1, 2}, {value, 0}); };
  for (const CtcScores kind : {CtcScores::probabilities, CtcScores::log_probabilities, CtcScores::logits}) {
    for (const float value : {nan, static_cast<float>(kInfinity)}) {
      EXPECT_MXINFER_ERROR(ctc_greedy(one(value), with_scores(kind)), ErrorCode::invalid_argument,
                           {"class 0", "step 0", "sequence 0"});
      EXPECT_MXINFER_ERROR(ctc_beam_search(one(value), with_scores(kind)), ErrorCode::invalid_argument,
                           {"class 0", "step 0", "sequence 0"});
    }
  }
  EXPECT_MXINFER_ERROR(ctc_greedy(one(-0.1f)), ErrorCode::invalid_argument, {"-0.1", "0 to 1"});
  EXPECT_MXINFER_ERROR(ctc_greedy(one(1.2f)), ErrorCode::invalid_argument, {"1.2", "0 to 1"});
  EXPECT_MXINFER_ERROR(ctc_greedy(one(0.5f), with_scores(CtcScores::log_probabilities)),
                       ErrorCode::invalid_argument, {"0.5", "log-probabilities"});
  EXPECT_MXINFER_ERROR(ctc_beam_search(one(0)), ErrorCode::invalid_argument, {"step 0", "every class"});
  EXPECT_EQ(ctc_greedy(one(static_cast<float>(-kInfinity)), with_scores(CtcScores::logits))[0].labels,
            Labels{1});
}

TEST(CtcErrors, ShapesAndOptionsThatDoNotFit) {
  const auto refused = [](const Tensor& scores, const CtcOptions& options,
                          const std::vector<std::string>& facts) {
    EXPECT_MXINFER_ERROR(ctc_greedy(scores, options), ErrorCode::invalid_argument, facts);
    EXPECT_MXINFER_ERROR(ctc_beam_search(scores, options), ErrorCode::invalid_argument, facts);
  };
  refused(Tensor(DType::float32, {4}), {}, {"(4,)", "(steps, classes)"});
  refused(Tensor(DType::float32, {1, 1, 2, 3}), {}, {"(1, 1, 2, 3)"});
  refused(Tensor(DType::int32, {2, 3}), {}, {"int32"});
  refused(Tensor(DType::float32, {2, 0}), {}, {"(2, 0)", "classes"});
  const Tensor good = random_logits({2, 5, 3}, 1);
  CtcOptions options;
  options.scores = CtcScores::logits;
  for (const int blank : {-2, 3}) {
    CtcOptions bad = options;
    bad.blank = blank;
    refused(good, bad, {"blank is " + std::to_string(blank), "3 classes"});
  }
  CtcOptions bad = options;
  bad.lengths = {5};
  refused(good, bad, {"1 lengths for 2"});
  for (const std::int64_t length : {std::int64_t{-1}, std::int64_t{6}}) {
    bad.lengths = {5, length};
    refused(good, bad, {"lengths[1] is " + std::to_string(length), "0 to 5"});
  }
  bad = options;
  bad.labels = {"a"};
  refused(good, bad, {"1 names", "3 classes"});
}

TEST(CtcErrors, BeamsThatAreTooNarrowOrTooWide) {
  const Tensor good = random_logits({5, 3}, 1);
  for (const int width : {0, -1, 65537})
    EXPECT_MXINFER_ERROR(ctc_beam_search(good, beam(width, 1)), ErrorCode::invalid_argument, {"beam_width"});
  EXPECT_MXINFER_ERROR(ctc_beam_search(good, beam(2, 0)), ErrorCode::invalid_argument, {"best is 0"});
}

}  // namespace
}  // namespace mxinfer
