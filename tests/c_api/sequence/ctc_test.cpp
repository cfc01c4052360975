// CTC decoding through the C interface, beside C++.
#include <mxinfer/sequence/ctc.h>

#include <random>
#include <vector>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {
namespace {

class CCtc : public testing::Test {
 protected:
  CCtc() {
    std::mt19937 random(5);
    for (float& value : values_) value = static_cast<float>(random() % 1000) / 100;
  }
  static void expect_same(const CtcSequences& found, std::size_t sequence,
                          const std::vector<mxinfer::CtcSequence>& expected) {
    ASSERT_EQ(mxinfer_ctc_sequences_readings(found.get(), sequence), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      auto read = sized<mxinfer_ctc_sequence>();
      ASSERT_C_OK(mxinfer_ctc_sequences_get(found.get(), sequence, i, &read));
      EXPECT_EQ(std::vector<std::int32_t>(read.labels, read.labels + read.label_count), expected[i].labels);
      EXPECT_EQ(read.text, expected[i].text);
      EXPECT_EQ(read.log_probability, expected[i].log_probability);
    }
  }

  std::vector<float> values_ = std::vector<float>(7 * 2 * 4);
  std::vector<std::int64_t> shape_ = {7, 2, 4};
  mxinfer_tensor scores_ = tensor_of(values_.data(), shape_);
  mxinfer::TensorView view_{values_.data(), {7, 2, 4}};
};

TEST_F(CCtc, ReadsWhatCppReads) {
  const std::int64_t lengths[] = {7, 5};
  auto options = sized<mxinfer_ctc_options>();
  options.scores = "logits";
  options.layout = "tnc";
  options.blank = -1;
  options.lengths = lengths;
  options.length_count = 2;
  options.characters = "aäb";
  options.beam_width = 10;
  options.best = 3;
  mxinfer::CtcBeamOptions same;
  same.scores = mxinfer::CtcScores::logits;
  same.layout = mxinfer::CtcLayout::tnc;
  same.blank = -1;
  same.lengths = {7, 5};
  same.labels = {"a", "ä", "b"};
  same.beam_width = 10;
  same.best = 3;
  CtcSequences greedy, beams;
  ASSERT_C_OK(mxinfer_ctc_greedy(&scores_, &options, Out(greedy)));
  ASSERT_C_OK(mxinfer_ctc_beam_search(&scores_, &options, Out(beams)));
  const auto expected_greedy = mxinfer::ctc_greedy(view_, same);
  const auto expected_beams = mxinfer::ctc_beam_search(view_, same);
  ASSERT_EQ(mxinfer_ctc_sequences_count(greedy.get()), 2U);
  ASSERT_EQ(mxinfer_ctc_sequences_count(beams.get()), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    expect_same(greedy, i, {expected_greedy[i]});
    expect_same(beams, i, expected_beams[i]);
  }

  // The same names as texts, and as the words of a vocabulary.
  const char* const labels[] = {"a", "ä", "b"};
  options.characters = nullptr;
  options.labels = labels;
  options.label_count = 3;
  ASSERT_C_OK(mxinfer_ctc_greedy(&scores_, &options, Out(greedy)));
  expect_same(greedy, 1, {expected_greedy[1]});
  Vocabulary vocabulary;
  ASSERT_C_OK(mxinfer_vocabulary_create(labels, 3, nullptr, Out(vocabulary)));
  options.vocabulary = vocabulary.get();
  EXPECT_C_ERROR(mxinfer_ctc_greedy(&scores_, &options, Out(beams)), MXINFER_INVALID_ARGUMENT,
                 "more than one");
  options.label_count = 0;
  ASSERT_C_OK(mxinfer_ctc_greedy(&scores_, &options, Out(greedy)));
  expect_same(greedy, 0, {expected_greedy[0]});
}

TEST_F(CCtc, TakesNoOptions) {
  const std::vector<float> steps = {0.1F, 0.9F, 0.8F, 0.2F, 0.3F, 0.7F};
  const std::vector<std::int64_t> shape = {3, 2};
  const mxinfer_tensor scores = tensor_of(steps.data(), shape);
  CtcSequences found;
  ASSERT_C_OK(mxinfer_ctc_greedy(&scores, nullptr, Out(found)));
  expect_same(found, 0, {mxinfer::ctc_greedy(mxinfer::TensorView(steps.data(), {3, 2}))[0]});
  ASSERT_C_OK(mxinfer_ctc_beam_search(&scores, nullptr, Out(found)));
  expect_same(found, 0, mxinfer::ctc_beam_search(mxinfer::TensorView(steps.data(), {3, 2}))[0]);
}

TEST_F(CCtc, TellsWhatIsWrong) {
  CtcSequences found;
  EXPECT_C_ERROR(mxinfer_ctc_greedy(&scores_, nullptr, Out(found)), MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_ctc_greedy(nullptr, nullptr, Out(found)), MXINFER_INVALID_ARGUMENT, "scores");
  auto options = sized<mxinfer_ctc_options>();
  options.scores = "odds";
  EXPECT_C_ERROR(mxinfer_ctc_greedy(&scores_, &options, Out(found)), MXINFER_INVALID_ARGUMENT, "odds",
                 "logits");
  options.scores = "logits";
  options.length_count = 2;
  EXPECT_C_ERROR(mxinfer_ctc_greedy(&scores_, &options, Out(found)), MXINFER_INVALID_ARGUMENT,
                 "options.lengths");
  options.length_count = 0;
  options.beam_width = -1;
  EXPECT_C_ERROR(mxinfer_ctc_beam_search(&scores_, &options, Out(found)), MXINFER_INVALID_ARGUMENT,
                 "beam_width");
  EXPECT_EQ(found, nullptr);
  options.beam_width = 0;
  ASSERT_C_OK(mxinfer_ctc_greedy(&scores_, &options, Out(found)));
  auto read = sized<mxinfer_ctc_sequence>();
  EXPECT_C_ERROR(mxinfer_ctc_sequences_get(found.get(), 9, 0, &read), MXINFER_INVALID_ARGUMENT, "sequence 9");
  EXPECT_C_ERROR(mxinfer_ctc_sequences_get(found.get(), 0, 1, &read), MXINFER_INVALID_ARGUMENT, "reading 1");
}

}  // namespace
}  // namespace mxinfer_c_tests
