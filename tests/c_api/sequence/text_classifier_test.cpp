// TextClassifier through the C interface: the model of languages, which takes texts itself, and a network
// that counts the words of its vocabulary, so that scores say how a text was cut, padded and put together.
#include <string>
#include <vector>

#include "c_api/c_api_support.h"
#include "support/files/temp_dir.h"

namespace mxinfer_c_tests {
namespace {

using mxinfer::test::TempDir;

constexpr const char* kWords = "<pad>\n<unk>\n[CLS]\n[SEP]\nthe\nfilm\ngood\nbad\n";

/// Class i scores how often the id i is in the text; a token of the second text of a pair counts ten times.
Model counting_model() {
  const std::string symbol = R"json({"nodes": [
      {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "token_types", "inputs": []},
      {"op": "one_hot", "name": "hot", "attrs": {"depth": "8"}, "inputs": [[0, 0, 0]]},
      {"op": "_mul_scalar", "name": "nine", "attrs": {"scalar": "9"}, "inputs": [[1, 0, 0]]},
      {"op": "_plus_scalar", "name": "weight", "attrs": {"scalar": "1"}, "inputs": [[3, 0, 0]]},
      {"op": "expand_dims", "name": "column", "attrs": {"axis": "2"}, "inputs": [[4, 0, 0]]},
      {"op": "broadcast_mul", "name": "weighted", "inputs": [[2, 0, 0], [5, 0, 0]]},
      {"op": "sum", "name": "counts", "attrs": {"axis": "1"}, "inputs": [[6, 0, 0]]}],
      "arg_nodes": [0, 1], "heads": [[7, 0, 0]]})json";
  const Options options =
      make_options({{"inputs", "data=-1,-1:float32:NT;token_types=-1,-1:float32:NT"},
                    {"labels", R"(["<pad>", "<unk>", "[CLS]", "[SEP]", "the", "film", "good", "bad"])"}});
  Model model;
  EXPECT_C_OK(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, options.get(), Out(model)));
  return model;
}

class CTextClassifier : public testing::Test {
 protected:
  CTextClassifier() : vocabulary_(dir_.write("words.txt", kWords)) {}

  mxinfer_text_options words(const char* tokenizer = "whitespace") const {
    auto options = sized<mxinfer_text_options>();
    options.tokenizer = tokenizer;
    options.vocabulary = vocabulary_.c_str();
    options.unknown = "<unk>";
    return options;
  }
  TextClassifier counting(const mxinfer_text_options& options) const {
    TextClassifier classifier;
    EXPECT_C_OK(mxinfer_text_classifier_create(model_.get(), &options, nullptr, Out(classifier)));
    return classifier;
  }

  TempDir dir_;
  std::string vocabulary_;
  Model model_ = counting_model();
};

std::vector<float> scores_of(const TextClassifier& classifier, const char* text) {
  Classes classes;
  EXPECT_C_OK(mxinfer_text_classifier_classify(classifier.get(), text, 0, Out(classes)));
  return scores_of(classes);
}

using Counts = std::vector<float>;

TEST(CTextClassifierOfAModelWithTexts, NeedsNoOptions) {
  TextClassifier classifier;
  ASSERT_C_OK(mxinfer_text_classifier_open(MXINFER_SOURCE_DIR "/models/language_id", nullptr, nullptr,
                                           Out(classifier)));
  Classes classes;
  ASSERT_C_OK(mxinfer_text_classifier_classify(classifier.get(), "Wo ist der Bahnhof?", 3, Out(classes)));
  EXPECT_EQ(mxinfer_classes_count(classes.get(), 0), 3U);
  EXPECT_EQ(first_label(classes), "German");

  const char* const texts[] = {"Where is the station, please?", "\xff", "Wo ist der Bahnhof?"};
  EXPECT_C_ERROR(mxinfer_text_classifier_classify_texts(classifier.get(), texts, 3, 1, 0, Out(classes)),
                 MXINFER_INVALID_ARGUMENT, "UTF-8");
  ASSERT_C_OK(mxinfer_text_classifier_classify_texts(classifier.get(), texts, 3, 1, 1, Out(classes)));
  ASSERT_EQ(mxinfer_classes_samples(classes.get()), 3U);
  EXPECT_EQ(first_label(classes, 0), "English");
  EXPECT_EQ(first_label(classes, 2), "German");
  EXPECT_EQ(mxinfer_classes_count(classes.get(), 1), 0U);
  const char* message = nullptr;
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 0, &message), MXINFER_OK);
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 1, &message), MXINFER_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message).find("UTF-8"), std::string::npos) << message;

  ASSERT_C_OK(mxinfer_text_classifier_classify_texts(classifier.get(), nullptr, 0, 1, 1, Out(classes)));
  EXPECT_EQ(mxinfer_classes_samples(classes.get()), 0U);

  const mxinfer_predictor* const predictor = mxinfer_text_classifier_predictor(classifier.get());
  ASSERT_NE(predictor, nullptr);
  Model model;
  ASSERT_C_OK(mxinfer_predictor_model(predictor, Out(model)));
  EXPECT_EQ(mxinfer_model_label_count(model.get()), 38U);

  auto options = sized<mxinfer_text_options>();
  options.tokenizer = "characters";
  options.vocabulary = MXINFER_SOURCE_DIR "/models/language_id/vocab.json";
  EXPECT_C_ERROR(mxinfer_text_classifier_open(MXINFER_SOURCE_DIR "/models/language_id", &options, nullptr,
                                              Out(classifier)),
                 MXINFER_INVALID_ARGUMENT);
}

TEST(CTextClassifierOfAModelWithTexts, IsSubmittedTo) {
  TextClassifier classifier;
  ASSERT_C_OK(mxinfer_text_classifier_open(MXINFER_SOURCE_DIR "/models/language_id", nullptr, nullptr,
                                           Out(classifier)));
  Request good, wrong;
  {
    std::string text = "Wo ist der Bahnhof?";  // copied
    ASSERT_C_OK(mxinfer_text_classifier_submit(classifier.get(), text.c_str(), 1, nullptr, Out(good)));
    text.assign(text.size(), '?');
  }
  ASSERT_C_OK(mxinfer_text_classifier_submit(classifier.get(), "\xff", 1, nullptr, Out(wrong)));
  Classes classes;
  ASSERT_C_OK(mxinfer_request_classes(good.get(), Out(classes)));
  EXPECT_EQ(first_label(classes), "German");
  EXPECT_C_ERROR(mxinfer_request_classes(wrong.get(), Out(classes)), MXINFER_INVALID_ARGUMENT, "UTF-8");
}

TEST_F(CTextClassifier, CutsTextsAsTheOptionsSay) {
  EXPECT_EQ(scores_of(counting(words()), "the film The goodbad good good"), (Counts{0, 2, 0, 0, 1, 1, 2, 0}));
  mxinfer_text_options options = words();
  options.lower = 1;
  EXPECT_EQ(scores_of(counting(options), "the film The"), (Counts{0, 0, 0, 0, 2, 1, 0, 0}));
  EXPECT_EQ(scores_of(counting(words("basic")), "The film, good"), (Counts{0, 1, 0, 0, 1, 1, 1, 0}));
  options = words("basic");
  options.lower = -1;
  EXPECT_EQ(scores_of(counting(options), "The film"), (Counts{0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(scores_of(counting(words("wordpiece")), "Good bad badly"), (Counts{0, 1, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(scores_of(counting(words("characters")), "abc"), (Counts{0, 3, 0, 0, 0, 0, 0, 0}));
}

TEST_F(CTextClassifier, FramesPadsAndTruncates) {
  mxinfer_text_options options = words();
  options.begin = "[CLS]";
  options.end = "[SEP]";
  const std::int64_t buckets[] = {4, 6};
  options.buckets = buckets;
  options.bucket_count = 2;
  EXPECT_EQ(scores_of(counting(options), "good"), (Counts{1, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(scores_of(counting(options), "the the good good bad bad"), (Counts{0, 0, 1, 1, 2, 0, 2, 0}));
  options.truncate_side = "left";
  EXPECT_EQ(scores_of(counting(options), "the the good good bad bad"), (Counts{0, 0, 1, 1, 0, 0, 2, 2}));
  const double bad = 7;
  options.pad_value = &bad;
  options.pad_side = "left";
  options.max_batch = 2;
  EXPECT_EQ(scores_of(counting(options), "good"), (Counts{0, 0, 1, 1, 0, 0, 1, 1}));
  options.too_long = "error";
  const TextClassifier strict = counting(options);
  Classes classes;
  EXPECT_C_ERROR(mxinfer_text_classifier_classify(strict.get(), "the the good good bad bad", 1, Out(classes)),
                 MXINFER_INVALID_ARGUMENT, "6");
}

TEST_F(CTextClassifier, PadsAtTheSideThatIsSaid) {
  // Counts the first token alone.
  const std::string symbol = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "slice_axis", "name": "first", "attrs": {"axis": "1", "begin": "0", "end": "1"}, "inputs": [[0, 0, 0]]},
      {"op": "one_hot", "name": "hot", "attrs": {"depth": "8"}, "inputs": [[1, 0, 0]]},
      {"op": "sum", "name": "counts", "attrs": {"axis": "1"}, "inputs": [[2, 0, 0]]}],
      "arg_nodes": [0], "heads": [[3, 0, 0]]})json";
  const Options load = make_options({{"inputs", "data=-1,-1:float32:NT"}});
  ASSERT_C_OK(mxinfer_model_load_memory(symbol.data(), symbol.size(), nullptr, 0, load.get(), Out(model_)));
  mxinfer_text_options options = words();
  const std::int64_t bucket = 4;
  options.buckets = &bucket;
  options.bucket_count = 1;
  EXPECT_EQ(scores_of(counting(options), "good"), (Counts{0, 0, 0, 0, 0, 0, 1, 0}));
  options.pad_side = "left";
  EXPECT_EQ(scores_of(counting(options), "good"), (Counts{1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(CTextClassifier, TakesPairs) {
  mxinfer_text_options options = words();
  options.end = "[SEP]";
  options.segment_input = "token_types";
  options.sequence_input = "data";
  const TextClassifier classifier = counting(options);
  Classes classes;
  ASSERT_C_OK(
      mxinfer_text_classifier_classify_pair(classifier.get(), "the film", "good film", 0, Out(classes)));
  EXPECT_EQ(scores_of(classes), (Counts{0, 0, 0, 11, 1, 11, 10, 0}));
  const char* const firsts[] = {"the", "\xff", "bad"};
  const char* const seconds[] = {"the", "the", "the"};
  ASSERT_C_OK(
      mxinfer_text_classifier_classify_pairs(classifier.get(), firsts, seconds, 3, 0, 1, Out(classes)));
  EXPECT_EQ(scores_of(classes, 0), (Counts{0, 0, 0, 11, 11, 0, 0, 0}));
  EXPECT_EQ(mxinfer_classes_item_status(classes.get(), 1, nullptr), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(scores_of(classes, 2), (Counts{0, 0, 0, 11, 10, 0, 0, 1}));
  EXPECT_C_ERROR(
      mxinfer_text_classifier_classify_pairs(classifier.get(), firsts, seconds, 3, 0, 0, Out(classes)),
      MXINFER_INVALID_ARGUMENT, "UTF-8");
  EXPECT_C_ERROR(
      mxinfer_text_classifier_classify_pairs(classifier.get(), firsts, nullptr, 3, 0, 0, Out(classes)),
      MXINFER_INVALID_ARGUMENT, "seconds");
}

TEST_F(CTextClassifier, TakesTokensAndIds) {
  mxinfer_text_options options = words();
  options.begin = "[CLS]";
  options.end = "[SEP]";
  const TextClassifier classifier = counting(options);
  Ids ids;
  ASSERT_C_OK(mxinfer_text_classifier_ids(classifier.get(), "the good whale", Out(ids)));
  EXPECT_EQ(ids_of(ids), (std::vector<std::int32_t>{2, 4, 6, 1, 3}));
  Classes of_ids, of_tokens;
  ASSERT_C_OK(mxinfer_text_classifier_classify_ids(classifier.get(), mxinfer_ids_data(ids.get()),
                                                   mxinfer_ids_count(ids.get()), 0, Out(of_ids)));
  const char* const tokens[] = {"the", "good", "whale"};
  ASSERT_C_OK(mxinfer_text_classifier_classify_tokens(classifier.get(), tokens, 3, 0, Out(of_tokens)));
  EXPECT_EQ(scores_of(of_ids), (Counts{0, 1, 1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(scores_of(of_tokens), scores_of(of_ids));
  EXPECT_EQ(scores_of(classifier, "the good whale"), scores_of(of_ids));

  // The same as a predictor of sequences, which takes both inputs by name.
  const std::vector<float> values = {2, 4, 6, 1, 3}, types(5, 0);
  const std::vector<std::int64_t> shape = {5};
  const mxinfer_tensor inputs[] = {tensor_of(values.data(), shape, "data"),
                                   tensor_of(types.data(), shape, "token_types")};
  Tensors outputs;
  ASSERT_C_OK(mxinfer_sequence_predictor_predict_sequence(
      mxinfer_text_classifier_sequence_predictor(classifier.get()), inputs, 2, Out(outputs)));
  EXPECT_EQ(floats_of(tensor_at(outputs, 0)), scores_of(of_ids));

  Classes none;
  EXPECT_C_ERROR(mxinfer_text_classifier_classify_tokens(classifier.get(), nullptr, 3, 0, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "tokens");
  EXPECT_C_ERROR(mxinfer_text_classifier_classify_ids(classifier.get(), nullptr, 3, 0, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "ids");
  EXPECT_C_ERROR(mxinfer_text_classifier_ids(classifier.get(), "\xff", Out(ids)), MXINFER_INVALID_ARGUMENT,
                 "UTF-8");
  TextClassifier with_texts;
  ASSERT_C_OK(mxinfer_text_classifier_open(MXINFER_SOURCE_DIR "/models/language_id", nullptr, nullptr,
                                           Out(with_texts)));
  EXPECT_C_ERROR(mxinfer_text_classifier_classify_tokens(with_texts.get(), tokens, 3, 0, Out(none)),
                 MXINFER_UNSUPPORTED);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(mxinfer_text_classifier_sequence_predictor(nullptr), nullptr);
}

TEST_F(CTextClassifier, TakesOptionsOfScores) {
  const mxinfer_text_options text = words();
  const Options options = make_options({{"activation", "softmax"}, {"min_score", "0.2"}, {"threads", "1"}});
  TextClassifier classifier;
  ASSERT_C_OK(mxinfer_text_classifier_create(model_.get(), &text, options.get(), Out(classifier)));
  const Counts scores = scores_of(classifier, "good good good");
  ASSERT_EQ(scores.size(), 1U);
  EXPECT_GT(scores[0], 0.7F);
  EXPECT_LT(scores[0], 1.0F);
  const Options of_images = make_options({{"width", "4"}});
  EXPECT_C_ERROR(mxinfer_text_classifier_create(model_.get(), &text, of_images.get(), Out(classifier)),
                 MXINFER_INVALID_ARGUMENT, "width");
}

TEST_F(CTextClassifier, TakesABucketedModel) {
  // Either network counts, and adds its length.
  for (const std::string key : {"4", "8"}) {
    dir_.write("net-" + key + "-symbol.json", R"json({"nodes": [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(0, )json" +
                                                  key + R"json()"}, "inputs": []},
        {"op": "one_hot", "name": "hot", "attrs": {"depth": "8"}, "inputs": [[0, 0, 0]]},
        {"op": "sum", "name": "counts", "attrs": {"axis": "1"}, "inputs": [[1, 0, 0]]},
        {"op": "_plus_scalar", "name": "out", "attrs": {"scalar": ")json" +
                                                  key + R"json("},
         "inputs": [[2, 0, 0]]}], "arg_nodes": [0], "heads": [[3, 0, 0]]})json");
  }
  dir_.write("net-0001.params", std::string("\x12\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                                            32));
  const mxinfer_text_options text = words();
  TextClassifier classifier;
  ASSERT_C_OK(mxinfer_text_classifier_open((dir_ / "net").c_str(), &text, nullptr, Out(classifier)));
  EXPECT_EQ(scores_of(classifier, "good bad"), (Counts{6, 4, 4, 4, 4, 4, 5, 5}));
  EXPECT_EQ(scores_of(classifier, "good bad good bad bad"), (Counts{11, 8, 8, 8, 8, 8, 10, 11}));
}

TEST_F(CTextClassifier, RejectsOptionsThatMakeNoSense) {
  TextClassifier classifier;
  const auto expect_error = [&](const mxinfer_text_options& options, mxinfer_status status,
                                const char* what) {
    EXPECT_C_ERROR(mxinfer_text_classifier_create(model_.get(), &options, nullptr, Out(classifier)), status,
                   what);
  };
  expect_error(words("words"), MXINFER_INVALID_ARGUMENT, "\"sentencepiece\"");
  mxinfer_text_options options = words();
  options.tokenizer = nullptr;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "mxinfer_text_options.tokenizer");
  options = words();
  options.vocabulary = nullptr;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "mxinfer_text_options.vocabulary");
  options.vocabulary = "/nowhere.txt";
  expect_error(options, MXINFER_NOT_FOUND, "/nowhere.txt");
  expect_error(words("sentencepiece"), MXINFER_INVALID_ARGUMENT, "unknown");
  options = words();
  options.unknown = "nobody";
  expect_error(options, MXINFER_INVALID_ARGUMENT, "nobody");
  options = words();
  options.lower = 2;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "lower is 2");
  options = words();
  options.pad_side = "top";
  expect_error(options, MXINFER_INVALID_ARGUMENT, "\"right\"");
  options = words();
  options.too_long = "cut";
  expect_error(options, MXINFER_INVALID_ARGUMENT, "\"truncate\"");
  options = words();
  options.bucket_count = 1;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "mxinfer_text_options.buckets");
  options = words();
  options.max_batch = -1;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "max_batch");
  options = words();
  options.length_input = "nothing";
  expect_error(options, MXINFER_INVALID_ARGUMENT, "nothing");
  options = words();
  options.struct_size = 0;
  expect_error(options, MXINFER_INVALID_ARGUMENT, "struct_size");
}

}  // namespace
}  // namespace mxinfer_c_tests
