#include <gtest/gtest.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/tools/model_builder.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/sequence/text_frame.h"
#include "support/expect_error.h"
#include "support/networks/bag_network.h"

namespace mxinfer {
namespace {

using Labels = std::vector<Classification>;
using Texts = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;

Vocabulary vocabulary(std::vector<std::string> words = test::bag_words()) {
  VocabularyOptions options;
  options.unknown = "<unk>";
  options.padding = "<pad>";
  return Vocabulary(std::move(words), options);
}

TextOptions plain() {
  TextOptions options;
  options.tokenizer = Tokenizer::whitespace(vocabulary());
  return options;
}

TextOptions framed() {
  TextOptions options = plain();
  options.begin = "[CLS]";
  options.end = "[SEP]";
  return options;
}

void expect_labels(const Labels& a, const Labels& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label, b[i].label);
    EXPECT_EQ(a[i].index, b[i].index);
    EXPECT_FLOAT_EQ(a[i].score, b[i].score);
  }
}

const Texts kTexts = {"the film was good", "bad", "the film was long and bad and long and good !",
                      "good film"};

TEST(TextClassifier, TextsTokensAndIdsAreTheSame) {
  test::BagNetwork network;
  network.labels = {"no", "perhaps", "yes"};
  for (const TextOptions& options : {plain(), framed()}) {
    const TextClassifier classifier(test::bag_network(network), options);
    const Labels classes = classifier.classify("the film was good");
    ASSERT_EQ(classes.size(), 3u);
    EXPECT_EQ(classes[2].label, "yes");
    expect_labels(classifier.classify_tokens(Texts{"the", "film", "was", "good"}), classes);
    expect_labels(classifier.classify_ids(classifier.ids("the film was good")), classes);
    const Tensor row = std::move(classifier.predict_sequence(classifier.ids("the film was good"))[0]);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(classes[i].score, row.data<float>()[i]);
  }
  EXPECT_EQ(TextClassifier(test::bag_network(), plain()).ids("the dull film"), (Ids{4, 1, 5}));
  EXPECT_EQ(TextClassifier(test::bag_network(), framed()).ids("the dull film"), (Ids{2, 4, 1, 5, 3}));
}

TEST(TextClassifier, RanksAsAClassifierDoes) {
  TextOptions options = plain();
  options.activation = Activation::softmax;
  const TextClassifier classifier(test::bag_network(), options);
  const Labels all = classifier.classify("good"), best = classifier.classify("good", 2);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_GE(best[0].score, best[1].score);
  EXPECT_NEAR(all[0].score + all[1].score + all[2].score, 1, 1e-6);
  EXPECT_EQ(best[0].label, std::to_string(best[0].index));
  options.min_score = best[0].score;
  EXPECT_EQ(TextClassifier(test::bag_network(), options).classify("good").size(), 1u);
}

TEST(TextClassifier, AListIsItsTextsOneByOneInAnyBuckets) {
  TextOptions options = plain();
  const TextClassifier alone(test::bag_network(), options);
  for (const std::vector<std::int64_t>& buckets :
       std::vector<std::vector<std::int64_t>>{{}, {16}, {2, 4, 12}}) {
    for (const Side side : {Side::left, Side::right}) {
      options.sequence.buckets = buckets;
      options.sequence.pad_side = side;
      const TextClassifier classifier(test::bag_network(), options);
      const std::vector<Labels> rows = classifier.classify_texts(kTexts);
      ASSERT_EQ(rows.size(), kTexts.size());
      for (std::size_t i = 0; i < kTexts.size(); ++i) {
        expect_labels(rows[i], classifier.classify(kTexts[i]));
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(rows[i][c].score, alone.classify(kTexts[i])[c].score, 1e-5);
      }
    }
  }
  EXPECT_TRUE(alone.classify_texts({}).empty());
}

TEST(TextClassifier, ABucketedModelHasANetworkForEachBucket) {
  const Model model = test::bag_network();
  const TextClassifier bucketed(BucketedModel({{4, model}, {12, model}}), plain());
  EXPECT_EQ(bucketed.buckets(), (std::vector<std::int64_t>{4, 12}));
  TextOptions options = plain();
  options.sequence.buckets = {4, 12};
  const TextClassifier free(model, options);
  const std::vector<Labels> rows = bucketed.classify_texts(kTexts), expected = free.classify_texts(kTexts);
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rows[i][c].score, expected[i][c].score, 1e-5);
  }
  EXPECT_MXINFER_ERROR(TextClassifier(BucketedModel({{4, model}})), ErrorCode::invalid_argument,
                       {"TextOptions::tokenizer"});
}

TEST(TextClassifier, ManyTextsComeInTheirOrder) {
  const TextClassifier classifier(test::bag_network(), plain());
  Texts texts;
  for (int i = 0; i < 1300; ++i) texts.push_back(kTexts[static_cast<std::size_t>(i) % kTexts.size()]);
  texts[1100] = "\xff";
  std::vector<ItemError> errors;
  const std::vector<Labels> rows = classifier.classify_texts(texts, 1, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1100u);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i != 1100) expect_labels(rows[i], rows[i % kTexts.size()]);
  }
  EXPECT_MXINFER_ERROR(classifier.classify_texts(texts, 1), ErrorCode::invalid_argument, {"text 1100"});
}

TEST(TextClassifier, WhatIsTooLongKeepsItsBeginAndEnd) {
  TextOptions options = framed();
  options.sequence.buckets = {4};
  const std::string text = "the film was good and bad";
  EXPECT_EQ(TextClassifier(test::bag_network(), options).ids(text), (Ids{2, 4, 5, 3}));
  options.sequence.truncate_side = Side::left;
  EXPECT_EQ(TextClassifier(test::bag_network(), options).ids(text), (Ids{2, 9, 8, 3}));
  options.sequence.too_long = TooLong::error;
  const TextClassifier strict(test::bag_network(), options);
  EXPECT_MXINFER_ERROR(strict.classify(text), ErrorCode::invalid_argument, {"8", "4"});
  EXPECT_EQ(strict.classify("the film").size(), 3u);
}

TEST(TextClassifier, PairsHaveSegments) {
  test::BagNetwork network;
  network.segments = true;
  const Model model = test::bag_network(network);
  TextOptions options = framed();
  options.sequence.buckets = {8};
  const TextClassifier classifier(model, options);
  const Labels pair = classifier.classify_pair("the film", "was good");
  const Predictor predictor(model);
  std::vector<float> ids = {2, 4, 5, 3, 6, 7, 3, 0}, segments = {0, 0, 0, 0, 1, 1, 1, 0};
  const TensorView id_view(ids.data(), Shape{1, 8}), segment_view(segments.data(), Shape{1, 8});
  const auto outputs = predictor.predict({{"data", id_view}, {"token_types", segment_view}});
  const float* expected = outputs.begin()->second.data<float>();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pair[i].score, expected[i], 1e-5);
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"the film", "was good"}, {"bad", "\xff"}, {"bad", "good and good and good and good and good"}};
  std::vector<ItemError> errors;
  const auto rows = classifier.classify_pairs(pairs, std::nullopt, &errors);
  expect_labels(rows[0], pair);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_NE(std::string(errors[0].error.what()).find("second text"), std::string::npos);
  EXPECT_EQ(rows[2].size(), 3u);
  expect_labels(classifier.classify_ids(classifier.ids("the film")), classifier.classify("the film"));
}

TEST(TextFrame, LongPairsLoseTheLongerTextsTokens) {
  const auto around = [](std::size_t first, std::size_t second, std::size_t most, Side side) {
    const api::TextFrame frame{{}, {}, most, side};
    const Ids a(first, 7);
    Ids b;
    for (std::size_t i = 0; i < second; ++i) b.push_back(static_cast<std::int32_t>(10 + i));
    return frame.around(a, &b);
  };
  // One token after the other, from the longer text, or from the second of two that are as long.
  for (std::size_t first = 0; first < 9; ++first) {
    for (std::size_t second = 0; second < 9; ++second) {
      for (std::size_t most = 1; most < 19; ++most) {
        if (first + second == 0) continue;
        std::size_t a = first, b = second;
        while (a + b > most) (a > b ? a : b) -= 1;
        const api::FramedIds framed = around(first, second, most, Side::right);
        ASSERT_EQ(framed.ids.size(), a + b);
        ASSERT_EQ(std::count(framed.segments.begin(), framed.segments.end(), 1), static_cast<long>(b));
      }
    }
  }
  EXPECT_EQ(around(1, 4, 3, Side::left).ids, (Ids{7, 12, 13}));
  EXPECT_EQ(around(1, 4, 3, Side::right).ids, (Ids{7, 10, 11}));
}

TEST(TextClassifier, AsynchronousCallsGiveTheSame) {
  TextOptions options = plain();
  options.sequence.options.async.max_batch = 4;
  const TextClassifier classifier(test::bag_network(), options);
  std::vector<Prediction<Labels>> waiting;
  for (int i = 0; i < 40; ++i)
    waiting.push_back(classifier.classify_async(kTexts[static_cast<std::size_t>(i) % kTexts.size()]));
  for (std::size_t i = 0; i < waiting.size(); ++i)
    expect_labels(waiting[i].get(), classifier.classify(kTexts[i % kTexts.size()]));
  auto wrong = classifier.classify_async("");
  EXPECT_MXINFER_ERROR(wrong.get(), ErrorCode::invalid_argument, {"no token"});
}

TEST(TextClassifier, ThreadsGetTheSame) {
  TextOptions options = plain();
  options.sequence.buckets = {4, 12};
  const TextClassifier classifier(test::bag_network(), options);
  const std::vector<Labels> expected = classifier.classify_texts(kTexts);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, copy = classifier] {
      for (int i = 0; i < 20; ++i) {
        const std::vector<Labels> rows = copy.classify_texts(kTexts);
        for (std::size_t k = 0; k < rows.size(); ++k) expect_labels(rows[k], expected[k]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// A model that takes texts as its first inputs: one, or pairs.
Model text_model(const test::BagNetwork& network, TextTransform texts) {
  texts.steps = {transforms::token_ids(vocabulary())};
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(test::bag_network_json(network)),
                                                   test::bag_network_params(network));
  return builder.texts(std::move(texts)).build();
}

TEST(TextClassifierOfAModelWithTexts, GivesWhatATokenizerInFrontOfTheNetworkGives) {
  for (const Side side : {Side::left, Side::right}) {
    TextTransform texts;
    texts.max_length = 12;
    texts.begin = "[CLS]";
    texts.end = "[SEP]";
    texts.pad_side = side;
    texts.buckets = {4, 8, 12};
    const TextClassifier whole(text_model({}, texts));
    TextOptions options = framed();
    options.sequence.buckets = {4, 8, 12};
    const TextClassifier apart(test::bag_network(), options);
    EXPECT_EQ(whole.buckets(), apart.buckets());
    Texts list = kTexts;
    list.emplace_back();
    list.push_back(std::string(3000, ' ') + "good" + std::string(70, ' ') + "bad");
    for (const std::string& text : list) EXPECT_EQ(whole.ids(text), apart.ids(text)) << text;
    const std::vector<Labels> rows = whole.classify_texts(list), expected = apart.classify_texts(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rows[i][c].score, expected[i][c].score, 1e-5);
      expect_labels(whole.classify(list[i]), rows[i]);
    }
    expect_labels(whole.classify_ids(whole.ids("good film")), whole.classify("good film"));
    EXPECT_MXINFER_ERROR(whole.classify_tokens(Texts{"good"}), ErrorCode::unsupported, {"tokens"});
    EXPECT_MXINFER_ERROR(whole.classify_pair("good", "bad"), ErrorCode::invalid_argument, {"one text"});
    EXPECT_EQ(whole.classify_async("good").get().size(), 3u);
  }
}

TEST(TextClassifierOfAModelWithTexts, PairsAndWrongOnesAmongThem) {
  test::BagNetwork network;
  network.segments = true;
  TextTransform texts;
  texts.inputs = {"text", "text_pair"};
  texts.max_length = 12;
  texts.begin = "[CLS]";
  texts.end = "[SEP]";
  texts.segments = "token_types";
  const TextClassifier whole(text_model(network, texts));
  TextOptions options = framed();
  options.sequence.buckets = {12};
  const TextClassifier apart(test::bag_network(network), options);
  const Labels pair = whole.classify_pair("the film", "was good"),
               expected = apart.classify_pair("the film", "was good");
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(pair[c].score, expected[c].score, 1e-5);
  const Labels one = whole.classify("the film"), alone = apart.classify("the film");
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(one[c].score, alone[c].score, 1e-5);
  std::vector<ItemError> errors;
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"the film", "was good"}, {"\xff", "good"}, {"the film", "was good"}};
  const auto rows = whole.classify_pairs(pairs, std::nullopt, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  expect_labels(rows[0], pair);
  expect_labels(rows[2], pair);
}

TEST(TextClassifierOfAModelWithTexts, TextsThatAreNoneAndOptionsThatDoNotFit) {
  TextTransform texts;
  texts.max_length = 12;
  const Model model = text_model({}, texts);
  const TextClassifier classifier(model);
  for (const char* text : {"", "  \n"})
    EXPECT_MXINFER_ERROR(classifier.classify(text), ErrorCode::invalid_argument, {"no token"});
  EXPECT_MXINFER_ERROR(classifier.classify("good \xc3("), ErrorCode::invalid_argument, {"byte 5"});
  EXPECT_MXINFER_ERROR(classifier.classify(std::string("good\0bad", 8)), ErrorCode::invalid_argument,
                       {"byte 4"});
  std::vector<ItemError> errors;
  const auto rows = classifier.classify_texts(Texts{"good", "", "bad", "\xff"}, 1, &errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_EQ(errors[1].item, 3u);
  expect_labels(rows[2], classifier.classify("bad", 1));
  EXPECT_MXINFER_ERROR(TextClassifier(model, plain()), ErrorCode::invalid_argument,
                       {"takes texts itself", "TextOptions::tokenizer"});
  TextOptions options;
  options.begin = "[CLS]";
  EXPECT_MXINFER_ERROR(TextClassifier(model, options), ErrorCode::invalid_argument, {"TextOptions::begin"});
}

TEST(TextClassifierErrors, TextsThatAreNone) {
  const TextClassifier classifier(test::bag_network(), plain());
  for (const char* text : {"", "  \t\n"})
    EXPECT_MXINFER_ERROR(classifier.classify(text), ErrorCode::invalid_argument, {"no token"});
  EXPECT_MXINFER_ERROR(classifier.classify("good \xc3("), ErrorCode::invalid_argument, {"5"});
  EXPECT_MXINFER_ERROR(classifier.classify("good", 0), ErrorCode::invalid_argument, {"top_k is 0"});
  EXPECT_MXINFER_ERROR(classifier.classify_texts(kTexts, -1), ErrorCode::invalid_argument, {"top_k is -1"});
  EXPECT_MXINFER_ERROR(classifier.classify_ids(Ids{}), ErrorCode::invalid_argument, {"no ids"});
  for (const std::int32_t id : {-1, 12, 2147483647}) {
    EXPECT_MXINFER_ERROR(classifier.classify_ids(Ids{4, id}), ErrorCode::invalid_argument,
                         {"position 1 is " + std::to_string(id), "12 rows", "'data'"});
  }
  EXPECT_EQ(TextClassifier(test::bag_network(), framed()).classify("").size(), 3u);
  TextOptions options = plain();
  options.tokenizer = Tokenizer::whitespace(Vocabulary(test::bag_words()));
  const TextClassifier strict(test::bag_network(), options);
  EXPECT_MXINFER_ERROR(strict.classify("a film"), ErrorCode::invalid_argument, {"a"});
  EXPECT_MXINFER_ERROR(strict.classify_tokens(Texts{"a"}), ErrorCode::invalid_argument, {"a"});
}

TEST(TextClassifierErrors, OptionsThatDoNotFit) {
  const Model model = test::bag_network();
  EXPECT_MXINFER_ERROR(TextClassifier(model), ErrorCode::invalid_argument, {"TextOptions::tokenizer"});
  TextOptions options;
  options.tokenizer = Tokenizer::whitespace();
  EXPECT_MXINFER_ERROR(TextClassifier(model, options), ErrorCode::invalid_argument, {"no vocabulary"});
  std::vector<std::string> words = test::bag_words();
  words.emplace_back("more");
  options.tokenizer = Tokenizer::whitespace(vocabulary(words));
  EXPECT_MXINFER_ERROR(TextClassifier(model, options), ErrorCode::invalid_argument,
                       {"13 words", "12 rows", "'data'"});
  options = plain();
  options.begin = "[BOS]";
  EXPECT_MXINFER_ERROR(TextClassifier(model, options), ErrorCode::invalid_argument,
                       {"TextOptions::begin", "[BOS]"});
  options = plain();
  options.segment_input = "token_types";
  EXPECT_MXINFER_ERROR(TextClassifier(model, options), ErrorCode::invalid_argument,
                       {"segment_input", "token_types", "'data'"});
  test::BagNetwork network;
  network.labels = {"a", "b"};
  EXPECT_MXINFER_ERROR(TextClassifier(test::bag_network(network), plain()), ErrorCode::invalid_argument,
                       {"3 classes", "2 labels"});
}

TEST(TextClassifierErrors, OneWrongTextCostsTheOthersNothing) {
  const TextClassifier classifier(test::bag_network(), plain());
  Texts texts = kTexts;
  texts.insert(texts.begin() + 1, "");
  texts.emplace_back("\xff");
  std::vector<ItemError> errors;
  const std::vector<Labels> rows = classifier.classify_texts(texts, 1, &errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_EQ(errors[1].item, 5u);
  EXPECT_TRUE(rows[1].empty());
  expect_labels(rows[2], classifier.classify(kTexts[1], 1));
}

}  // namespace
}  // namespace mxinfer
