// A trained network of reviews: no list of its words is beside it, so that ids stand for texts, and words are
// made up.
#include <gtest/gtest.h>
#include <mxinfer/sequence/text_classifier.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/networks/real_models.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

std::string sentiment_folder() {
  return test::real_model("sentiment_lstm");
}

/// Its Embedding has 3046 rows; row 0 is padding. Texts of 40 ids, padded on the left.
TextOptions sentiment_options() {
  std::vector<std::string> words = {"<pad>"};
  for (int i = 1; i < 3046; ++i) words.push_back("w" + std::to_string(i));
  TextOptions options;
  options.tokenizer = Tokenizer::whitespace(Vocabulary(std::move(words)));
  options.sequence.buckets = {40};
  options.sequence.pad_side = Side::left;
  options.sequence.truncate_side = Side::left;
  return options;
}

TEST(TextClassifierRealModel, GivesMxnetsScoresOfIdsAndOfTheirWords) {
  if (sentiment_folder().empty()) GTEST_SKIP() << test::kNoRealModels << " (sentiment_lstm)";
  const TextClassifier classifier(sentiment_folder(), sentiment_options());
  int rows = 0;
  for (const fs::path& recording : test::recordings_of(sentiment_folder())) {
    const test::Golden golden = test::read_golden(recording);
    const Tensor& data = golden.inputs.at("data");
    for (std::int64_t n = 0; n < data.shape()[0]; ++n, ++rows) {
      const float* row = data.data<float>() + n * 40;
      std::int64_t first = 0;  // of the ids behind the padding
      while (first < 39 && row[first] == 0) ++first;
      std::vector<std::int32_t> ids;
      std::string text;
      for (std::int64_t i = first; i < 40; ++i) {
        ids.push_back(static_cast<std::int32_t>(row[i]));
        text += (ids.back() == 0 ? "<pad>" : "w" + std::to_string(ids.back())) + " ";
      }
      const auto of_ids = classifier.classify_ids(ids), of_text = classifier.classify(text);
      ASSERT_EQ(of_ids.size(), 2u);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(of_ids[c].score, golden.outputs[0].data<float>()[static_cast<std::size_t>(n) * 2 + c],
                    1e-4);
        EXPECT_EQ(of_text[c].score, of_ids[c].score);
      }
    }
  }
  EXPECT_GE(rows, 4);
}

}  // namespace
}  // namespace mxinfer
