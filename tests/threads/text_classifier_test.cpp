// Many threads on one TextClassifier, with the tokenizer in front of the network and in the model.
#include <gtest/gtest.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/tools/model_builder.h>

#include <string>
#include <thread>
#include <vector>

#include "support/networks/bag_network.h"
#include "support/networks/many.h"

namespace mxinfer {
namespace {

using Scores = std::vector<Classification>;

const std::vector<std::string>& many_texts() {
  static const auto& texts = *new std::vector<std::string>{
      "the film was good", "bad", "the film was long and bad and long and good !", "good film", "and"};
  return texts;
}

Vocabulary words_of_bag() {
  VocabularyOptions options;
  options.unknown = "<unk>";
  return Vocabulary(test::bag_words(), options);
}

TextClassifier with_tokenizer() {
  TextOptions options;
  options.tokenizer = Tokenizer::whitespace(words_of_bag());
  options.sequence.buckets = {4, 12};
  options.sequence.options.async.max_batch = 4;
  return TextClassifier(test::bag_network(), options);
}

TextClassifier with_texts_in_the_model() {
  TextTransform texts;
  texts.steps = {transforms::token_ids(words_of_bag())};
  texts.max_length = 12;
  texts.buckets = {4, 12};
  ModelBuilder builder =
      ModelBuilder::from_memory(Span<const char>(test::bag_network_json({})), test::bag_network_params({}));
  return TextClassifier(builder.texts(texts).build());
}

void expect_close(const Scores& found, const Scores& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].score, expected[i].score, 1e-5);
}

void use_from_threads(const TextClassifier& classifier) {
  const std::vector<std::string>& texts = many_texts();
  const std::vector<Scores> expected = classifier.classify_texts(texts);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < test::many(24); ++round) {
        const std::size_t i = (t + static_cast<std::size_t>(round)) % texts.size();
        auto waiting = classifier.classify_async(texts[i]);
        expect_close(classifier.classify(texts[i]), expected[i]);
        const std::vector<Scores> rows = classifier.classify_texts(texts);
        for (std::size_t k = 0; k < rows.size(); ++k) expect_close(rows[k], expected[k]);
        expect_close(waiting.get(), expected[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(TextClassifierThreads, TokenizerInFrontOfTheNetwork) {
  use_from_threads(with_tokenizer());
}

TEST(TextClassifierThreads, TokenizerInTheModel) {
  use_from_threads(with_texts_in_the_model());
}

}  // namespace
}  // namespace mxinfer
