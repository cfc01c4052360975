// Texts in front of a network: what they become, what the whole takes and gives, files of it, the two parts
// that it falls apart into, and what is refused.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/sequence/tokenizer.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "compose/texts/text_steps.h"
#include "formats/json/signature_json.h"
#include "load/text_parts.h"
#include "model/model_data.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/files/text_rows.h"
#include "support/networks/text_network.h"
#include "tensor/npy.h"

namespace mxinfer {
namespace {

namespace t = mxinfer::transforms;
using Json = nlohmann::json;
using test::text_tensor;
using E = ErrorCode;
using Floats = std::vector<float>;

Vocabulary words() {
  VocabularyOptions options;
  options.unknown = "[UNK]";
  options.padding = "[PAD]";
  return Vocabulary({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##able", "able", "!"}, options);
}

ModelBuilder text_builder() {
  const std::string json = test::text_network_json();
  const auto params = test::text_network_params();
  return ModelBuilder::from_memory(Span<const char>(json), Span<const std::byte>(params));
}

TextTransform bert_text() {
  TextTransform text;
  text.steps = {t::basic_tokenize(), t::wordpiece(words())};
  text.max_length = 10;
  text.begin = "[CLS]";
  text.end = "[SEP]";
  text.ids = "data0";
  text.segments = "data1";
  text.length = "data2";
  text.buckets = {4, 8, 10};
  return text;
}

TextTransform bert_pair() {
  TextTransform text = bert_text();
  text.inputs = {"text", "text_pair"};
  return text;
}

Model build(TextTransform text) {
  return text_builder().texts(std::move(text)).build();
}

Floats row_of(const Tensor& tensor, std::int64_t row) {
  const std::int64_t width = tensor.shape()[1];
  return {tensor.data<float>() + row * width, tensor.data<float>() + (row + 1) * width};
}

TEST(TextModels, TakeTexts) {
  const Model model = build(bert_text());
  ASSERT_EQ(model.signature().inputs.size(), 1u);
  EXPECT_EQ(to_string(model.signature().inputs[0]), "text uint8 (-1, -1) text");
  const Predictor predictor(model);
  // [CLS] un ##able ! [SEP]: 2 + 4 + 5 + 7 + 3
  const Tensor rows = text_tensor({"Unable!", "", "able xyz"}, 16);
  const Tensor out = std::move(predictor.predict({rows})[0]);
  EXPECT_EQ(row_of(out, 0), (Floats{21, 210, 0, 5}));
  EXPECT_EQ(row_of(out, 1), (Floats{5, 50, 0, 2}));
  EXPECT_EQ(row_of(out, 2), (Floats{2 + 6 + 1 + 3, 120, 0, 4}));
  // Rows of another width are another plan.
  EXPECT_EQ(row_of(predictor.predict({text_tensor({"unable!"}, 7)})[0], 0), (Floats{21, 210, 0, 5}));
}

TEST(TextModels, TakePairs) {
  const Model model = build(bert_pair());
  ASSERT_EQ(model.signature().inputs.size(), 2u);
  EXPECT_EQ(model.signature().inputs[1].name, "text_pair");
  const Tensor first = text_tensor({"able", "able"}, 8), second = text_tensor({"un un un", ""}, 16);
  const Tensor out = std::move(Predictor(model).predict({first, second})[0]);
  EXPECT_EQ(row_of(out, 0), (Floats{2 + 6 + 3 + 12 + 3, 260, 4, 7}));
  EXPECT_EQ(row_of(out, 1), (Floats{2 + 6 + 3, 110, 0, 3}));
}

TEST(TextModels, AreOneTokenizerAndANetwork) {
  // What the tokenizer and the bare network give by themselves.
  const Model whole = build(bert_text());
  LoadOptions bare;
  bare.load_transforms = false;
  const test::TempDir dir;
  text_builder().texts(bert_text()).save(dir / "whole");
  const Model network = Model::load(dir / "whole", bare);
  ASSERT_EQ(network.signature().inputs.size(), 3u);
  EXPECT_EQ(network.signature().inputs[0].name, "data0");
  const std::vector<std::string> texts = {"Un able!", "unable able xyz", "!!!", "able"};
  const Tokenizer tokenizer = Tokenizer::wordpiece(words());
  for (const std::string& text : texts) {
    std::vector<std::int32_t> ids = tokenizer.ids(text);
    ids.insert(ids.begin(), 2);
    ids.push_back(3);
    Tensor data(DType::float32, {1, static_cast<std::int64_t>(ids.size())});
    std::copy(ids.begin(), ids.end(), data.data<float>());
    Tensor segments(DType::float32, data.shape()), length(DType::float32, {1});
    std::fill_n(segments.data<float>(), ids.size(), 0.0f);
    length.data<float>()[0] = static_cast<float>(ids.size());
    EXPECT_EQ(row_of(Predictor(whole).predict({text_tensor({text}, 32)})[0], 0),
              row_of(Predictor(network).predict({data, segments, length})[0], 0))
        << text;
  }
}

TEST(TextModels, AreFilesLikeOthers) {
  const test::TempDir dir;
  text_builder().texts(bert_pair()).save(dir / "whole");
  const Model model = Model::load(dir / "whole");
  EXPECT_TRUE(model.warnings().empty());
  EXPECT_EQ(model.signature().inputs[1].meaning, Meaning::text);
  const Tensor first = text_tensor({"able"}, 16), second = text_tensor({"un un un"}, 16);
  EXPECT_EQ(row_of(Predictor(model).predict({first, second})[0], 0), (Floats{26, 260, 4, 7}));
  const auto& sequence = api::data_of(model).file_signature->sequence;
  ASSERT_TRUE(sequence);
  EXPECT_EQ(sequence->ids, "data0");
  EXPECT_EQ(sequence->segments, "data1");
  EXPECT_EQ(sequence->length, "data2");
  EXPECT_EQ(sequence->buckets, (std::vector<std::int64_t>{4, 8, 10}));
  EXPECT_EQ(sequence->pad_value, 0.0);
  EXPECT_EQ(sequence->pad_side, Side::right);
  const Json transforms = Json::parse(inspect_model(dir / "whole").transforms);
  EXPECT_EQ(transforms["texts"]["max_length"], 10);
  EXPECT_EQ(transforms["texts"]["steps"][1]["op"], "wordpiece");
  text_builder().texts(bert_pair()).save_bundle(dir / "whole.mxz");
  EXPECT_EQ(row_of(Predictor(dir / "whole.mxz").predict({first, second})[0], 0), (Floats{26, 260, 4, 7}));
}

TEST(TextModels, FromAFileOfTransforms) {
  const test::TempDir dir;
  std::ofstream(dir / "vocab.json") << words().to_json();
  std::ofstream(dir / "texts.json") << R"({"texts": {"inputs": ["text", "text_pair"],
    "steps": [{"op": "lower"}, {"op": "basic_tokenize", "lower": true}, {"op": "wordpiece", "vocabulary": "vocab.json"}],
    "max_length": 10, "begin": "[CLS]", "end": "[SEP]", "pad": "[PAD]", "pad_side": "right",
    "ids": "data0", "segments": "data1", "length": "data2", "buckets": [5, 10]}})";
  const TransformLists lists = read_transforms(dir / "texts.json");
  ASSERT_EQ(lists.texts.size(), 1u);
  const Model model = text_builder().set_transforms(lists).build();
  const Tensor first = text_tensor({"ABLE"}, 16), second = text_tensor({"un un un"}, 16);
  EXPECT_EQ(row_of(Predictor(model).predict({first, second})[0], 0), (Floats{26, 260, 4, 7}));
}

TEST(TextModels, VocabulariesStandInTheFileToo) {
  const std::string json = R"({"texts": {"steps": [
    {"op": "token_ids", "by": "characters", "vocabulary": ["?", "a", "b", "(", ","], "unknown": "?"}],
    "max_length": 4, "ids": "data0", "segments": "data1", "length": "data2"}})";
  const Model model = text_builder().set_transforms(parse_transforms(Span<const char>(json))).build();
  EXPECT_EQ(row_of(Predictor(model).predict({text_tensor({"ab(,b", "x"}, 16)})[0], 0),
            (Floats{1 + 2 + 3 + 4, 100, 0, 4}));
}

TEST(TextModels, FilesOfStepsMayBeAddresses) {
  const test::TempDir dir;
  dir.write("x.model", "pieces");
  Transform step = t::sentencepiece("file://" + (dir / "x.model"));
  api::load_files(step);
  EXPECT_EQ(step.attrs.at("model"), "base64:cGllY2Vz");
  // In a file of transforms they are not relative to its folder.
  dir.write("vocab.json", words().to_json());
  dir.write("texts.json", R"({"texts": {"steps": [{"op": "wordpiece", "vocabulary": "file://)" +
                              (dir / "vocab.json") + R"("}], "max_length": 10, "ids": "data0"}})");
  const TransformLists lists = read_transforms(dir / "texts.json");
  ASSERT_EQ(lists.texts.size(), 1u);
  EXPECT_EQ(lists.texts[0].steps[0].attrs.at("vocabulary"), "file://" + (dir / "vocab.json"));
  EXPECT_EQ(text_builder().texts(lists.texts[0]).build().signature().inputs[0].name, "text");
}

TEST(TextModels, FallApartIntoTextsAndNetwork) {
  EXPECT_FALSE(api::text_parts(text_builder().build()));
  const Model whole = build(bert_pair());
  const auto parts = api::text_parts(whole);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->text_inputs, (std::vector<std::string>{"data0", "data1", "data2"}));
  EXPECT_EQ(parts->network_inputs, (std::vector<std::string>{"data0", "data1", "data2"}));
  const Tensor first = text_tensor({"able", "un"}, 8), second = text_tensor({"un un un", ""}, 16);
  const auto ids = Predictor(parts->text).predict({first, second});
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(ids[0].shape(), (Shape{2, 10}));
  EXPECT_EQ(ids[3].dtype(), DType::int32);
  EXPECT_EQ(ids[3].data<std::int32_t>()[0], 7);
  EXPECT_EQ(ids[3].data<std::int32_t>()[1], 3);
  // Ids that are cut to the longest text of the batch.
  Tensor cut(ids[0].dtype(), {2, 7}), segments(ids[1].dtype(), {2, 7});
  for (std::int64_t row = 0; row < 2; ++row) {
    std::copy_n(ids[0].data<float>() + row * 10, 7, cut.data<float>() + row * 7);
    std::copy_n(ids[1].data<float>() + row * 10, 7, segments.data<float>() + row * 7);
  }
  const Tensor out = std::move(Predictor(parts->network).predict({cut, segments, ids[2]})[0]);
  const Tensor expected = std::move(Predictor(whole).predict({first, second})[0]);
  for (std::int64_t row = 0; row < 2; ++row) EXPECT_EQ(row_of(out, row), row_of(expected, row));
}

TEST(TextModels, PartsOfAModelFromFilesWithPostprocessing) {
  const test::TempDir dir;
  TextTransform text = bert_text();
  text.segments.clear();
  text.length.clear();
  const std::string json = test::text_network_json();
  const auto params = test::text_network_params();
  LoadOptions described;
  described.inputs = {{"data1", {-1, -1}}, {"data2", {-1}}};
  ModelBuilder builder =
      ModelBuilder::from_memory(Span<const char>(json), Span<const std::byte>(params), described);
  builder.texts(text).post({t::softmax()}).labels({"a", "b", "c", "d"}).save(dir / "whole");
  const auto parts = api::text_parts(Model::load(dir / "whole"));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->text_inputs, (std::vector<std::string>{"data0"}));
  EXPECT_EQ(parts->network_inputs, (std::vector<std::string>{"data0", "data1", "data2"}));
  EXPECT_EQ(parts->network.labels().size(), 4u);
  EXPECT_EQ(parts->network.signature().outputs[0].meaning, Meaning::scores);
  EXPECT_EQ(Predictor(parts->text).predict({text_tensor({"un"}, 4)}).back().data<std::int32_t>()[0], 3);
  LoadOptions bare;
  bare.load_transforms = false;
  EXPECT_FALSE(api::text_parts(Model::load(dir / "whole", bare)));
}

TEST(TextModels, VectorsOfWordsAreAParameter) {
  // data (N, T, 2) summed over T.
  const std::string json =
      R"json({"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0, 2)"}, "inputs": []},
    {"op": "sum", "name": "total", "attrs": {"axis": "1"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const test::TempDir dir;
  std::ofstream(dir / "glove.txt") << "<unk> 100 1000\na 1 10\nday 2 20\n";
  TextTransform text;
  VocabularyOptions options;
  options.unknown = "<unk>";
  text.steps = {t::lower(), t::token_ids(Vocabulary({"<unk>", "a", "day"}, options)),
                t::embedding(dir / "glove.txt")};
  text.max_length = 3;
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  builder.texts(text).save(dir / "whole");
  const Model model = Model::load(dir / "whole");
  const Tensor rows = text_tensor({"A DAY", "a night", "a a a a a"}, 16);
  const Tensor out = std::move(Predictor(model).predict({rows})[0]);
  // Padding is the id 0 here, with its vector.
  EXPECT_EQ(row_of(out, 0), (Floats{103, 1030}));
  EXPECT_EQ(row_of(out, 1), (Floats{201, 2010}));
  EXPECT_EQ(row_of(out, 2), (Floats{3, 30}));
  const auto parts = api::text_parts(model);
  ASSERT_TRUE(parts);
  EXPECT_EQ(Predictor(parts->text).predict({rows})[0].shape(), (Shape{3, 3, 2}));
  LoadOptions bare;
  bare.load_transforms = false;
  EXPECT_EQ(Model::load(dir / "whole", bare).signature().inputs[0].name, "data");
  // The vocabulary of the vectors: without an unknown token, other words are errors.
  text.steps = {t::token_ids(), t::embedding(dir / "glove.txt")};
  const Model other = ModelBuilder::from_memory(Span<const char>(json), {}).texts(text).build();
  EXPECT_EQ(row_of(Predictor(other).predict({text_tensor({"a a day"}, 8)})[0], 0), (Floats{4, 40}));
  EXPECT_MXINFER_ERROR(Predictor(other).predict({text_tensor({"a night"}, 8)}), E::invalid_argument,
                       {"row 0", "night"});
  text.steps = {t::embedding(dir / "glove.txt"), t::token_ids()};
  EXPECT_MXINFER_ERROR(ModelBuilder::from_memory(Span<const char>(json), {}).texts(text), E::invalid_argument,
                       {"embedding", "last"});
  text.steps = {t::token_ids(), t::embedding(dir / "nowhere.txt")};
  EXPECT_MXINFER_ERROR(ModelBuilder::from_memory(Span<const char>(json), {}).texts(text), E::not_found,
                       {"nowhere.txt"});
}

/// What the sum of the vectors of a text's words is, in front of a network that sums them.
Floats sum_of_vectors(const TextTransform& text, const std::string& words) {
  const std::string json =
      R"json({"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0, 2)"}, "inputs": []},
    {"op": "sum", "name": "total", "attrs": {"axis": "1"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Model model = ModelBuilder::from_memory(Span<const char>(json), {}).texts(text).build();
  return row_of(Predictor(model).predict({text_tensor({words}, 16)})[0], 0);
}

TEST(TextModels, VectorsBelongToWords) {
  const test::TempDir dir;
  dir.write("glove.txt", "<unk> 100 1000\na 1 10\nday 2 20\n");
  TextTransform text;
  text.max_length = 1;
  text.steps = {t::token_ids(Vocabulary({"day", "cat", "<unk>", "", "a"})), t::embedding(dir / "glove.txt")};
  EXPECT_EQ(sum_of_vectors(text, "day"), (Floats{2, 20}));
  EXPECT_EQ(sum_of_vectors(text, "a"), (Floats{1, 10}));
  EXPECT_EQ(sum_of_vectors(text, "<unk>"), (Floats{100, 1000}));
  // Text files name no unknown token.
  EXPECT_EQ(sum_of_vectors(text, "cat"), (Floats{0, 0}));
  text.steps[0] = t::token_ids(Vocabulary({"cat", "dog"}));
  EXPECT_MXINFER_ERROR(sum_of_vectors(text, "cat"), E::invalid_argument,
                       {"glove.txt", "none of the 2 words", "3"});
  text.steps[0] = {"token_ids", {{"vocabulary", R"({"a": 0, "b": 16777215})"}}};
  EXPECT_MXINFER_ERROR(sum_of_vectors(text, "a"), E::invalid_argument, {"renumber the words"});
}

TEST(TextModels, VectorsWithoutWordsAreThoseOfTheIds) {
  const test::TempDir dir;
  Tensor matrix(DType::float32, {3, 2});
  for (int i = 0; i < 6; ++i) matrix.data<float>()[i] = static_cast<float>(i);
  save_npy(dir / "vectors.npy", matrix);
  TextTransform text;
  text.max_length = 1;
  text.steps = {t::token_ids(Vocabulary({"b", "a"})), t::embedding(dir / "vectors.npy")};
  EXPECT_EQ(sum_of_vectors(text, "a"), (Floats{2, 3}));
  text.steps[0] = t::token_ids(Vocabulary({"a", "b", "c", "d"}));
  EXPECT_MXINFER_ERROR(sum_of_vectors(text, "a"), E::invalid_argument, {"4 words", "3"});
  text.steps[0] = t::token_ids();
  EXPECT_MXINFER_ERROR(sum_of_vectors(text, "a"), E::invalid_argument,
                       {"vectors.npy", "no words", "the step that makes ids"});
}

TEST(TextModels, BesideAnotherInputOfItsOwn) {
  TextTransform text = bert_text();
  text.segments.clear();
  const Model model = build(text);
  ASSERT_EQ(model.signature().inputs.size(), 2u);
  EXPECT_EQ(model.signature().inputs[1].name, "data1");
}

TEST(TextModels, RowsWithoutBytesAndNoRows) {
  const Predictor predictor(build(bert_text()));
  const Tensor out = std::move(predictor.predict({Tensor(DType::uint8, {2, 0})})[0]);
  EXPECT_EQ(row_of(out, 0), (Floats{5, 50, 0, 2}));
  EXPECT_EQ(row_of(out, 1), (Floats{5, 50, 0, 2}));
  EXPECT_EQ(predictor.predict({Tensor(DType::uint8, {0, 16})})[0].shape(), (Shape{0, 4}));
}

TEST(TextModels, CarryASample) {
  const test::TempDir dir;
  save_npy(dir / "rows.npy", text_tensor({"able", "un"}, 16));
  ModelBuilder builder = text_builder();
  builder.texts(bert_text()).sample("text", dir / "rows.npy").save(dir / "whole");
  LoadOptions options;
  options.verify = true;
  EXPECT_EQ(Model::load(dir / "whole", options).signature().inputs.size(), 1u);
}

TEST(TextModels, BadTextsNameTheirRow) {
  const Predictor predictor(build(bert_text()));
  EXPECT_MXINFER_ERROR(predictor.predict({text_tensor({"able", "ab\xFFle"}, 8)}), E::invalid_argument,
                       {"row 1", "2"});
  TextTransform strict = bert_text();
  strict.begin = strict.end = "";
  strict.steps = {t::token_ids(Vocabulary({"a", "b"}))};
  EXPECT_MXINFER_ERROR(Predictor(build(strict)).predict({text_tensor({"a b", "a", "b c"}, 8)}),
                       E::invalid_argument, {"row 2", "c"});
}

TEST(TextModels, WhatDoesNotFitIsRefused) {
  const auto with = [](auto change) {
    TextTransform text = bert_pair();
    change(text);
    return build(text);
  };
  using T = TextTransform;
  EXPECT_MXINFER_ERROR(with([](T& text) { text.max_length = 3; }), E::invalid_argument, {"buckets"});
  EXPECT_MXINFER_ERROR(with([](T& text) {
                         text.max_length = 3;
                         text.buckets.clear();
                       }),
                       E::invalid_argument, {"max_length is 3", "4 or more"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.max_length = 1 << 21; }), E::invalid_argument, {"1048576"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.buckets = {8, 4}; }), E::invalid_argument, {"ascending"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.begin = "[BOS]"; }), E::invalid_argument,
                       {"begin", "[BOS]", "8 words"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.pad = "[P]"; }), E::invalid_argument, {"pad", "[P]"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.ids = "data9"; }), E::invalid_argument,
                       {"ids", "data9", "'data0'"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.segments = "data0"; }), E::invalid_argument,
                       {"segments", "data0"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.inputs = {"words"}; }), E::invalid_argument,
                       {"words", "another one"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.inputs = {}; }), E::invalid_argument, {"inputs"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.inputs = {"a", "a"}; }), E::invalid_argument, {"inputs"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.inputs = {"a", "b", "c"}; }), E::invalid_argument, {"3"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps = {}; }), E::invalid_argument, {"wordpiece"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps = {t::lower()}; }), E::invalid_argument, {"lower"});
  EXPECT_MXINFER_ERROR(with([](T& text) {
                         text.steps = {{"nonsense", {}}, t::wordpiece(words())};
                       }),
                       E::invalid_argument, {"nonsense", "step 1 of 2"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps.insert(text.steps.begin(), t::token_ids(words())); }),
                       E::malformed, {"max_length"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps = {t::token_ids()}; }), E::invalid_argument,
                       {"vocabulary is missing"});
  EXPECT_MXINFER_ERROR(with([](T& text) {
                         text.steps = {{"wordpiece", {{"vocabulary", "no/such/file"}}}};
                       }),
                       E::not_found, {"no/such/file"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps = {t::wordpiece(words(), 4097)}; }), E::malformed,
                       {"max_word_length", "4096"});
  EXPECT_MXINFER_ERROR(with([](T& text) { text.steps = {t::wordpiece(Vocabulary({"a"}))}; }),
                       E::invalid_argument, {"unknown"});
  ModelBuilder both = text_builder();
  both.texts(bert_text()).transforms("data0", {t::scale(2)});
  EXPECT_MXINFER_ERROR(both.build(), E::invalid_argument, {"data0", "list of steps"});
  ModelBuilder twice = text_builder();
  twice.texts(bert_text()).texts(bert_text());
  EXPECT_MXINFER_ERROR(twice.build(), E::invalid_argument, {"data0", "already"});
  TransformLists behind;
  behind.texts = {bert_text()};
  ModelBuilder post = text_builder();
  post.texts(bert_text()).set_post(behind);
  EXPECT_MXINFER_ERROR(post.build(), E::invalid_argument, {"only in front"});
}

TEST(TextModels, BadFilesOfTransformsNameTheKey) {
  const auto parse = [](const std::string& text) {
    const std::string json = R"({"texts": )" + text + "}";
    return parse_transforms(Span<const char>(json));
  };
  EXPECT_MXINFER_ERROR(parse(R"({"inputs": "text"})"), E::malformed, {"texts", "inputs", "list of names"});
  EXPECT_MXINFER_ERROR(parse(R"({"max_length": "128"})"), E::malformed, {"max_length", "whole number"});
  EXPECT_MXINFER_ERROR(parse(R"({"pad_side": "up"})"), E::malformed, {"pad_side", "left or right"});
  EXPECT_MXINFER_ERROR(parse(R"({"begin": 3})"), E::malformed, {"begin", "text"});
  EXPECT_MXINFER_ERROR(parse(R"({"buckets": 3})"), E::malformed, {"buckets", "list"});
  EXPECT_MXINFER_ERROR(parse(R"({"bucket": 3})"), E::malformed, {"bucket", "max_length"});
  EXPECT_MXINFER_ERROR(parse(R"({"steps": [{"vocabulary": []}]})"), E::malformed, {"op"});
  // An input of that name may still have a list of steps.
  EXPECT_EQ(parse(R"([{"op": "cast", "dtype": "float32"}])").named.count("texts"), 1u);
}

Json whole_symbol() {
  const test::TempDir dir;
  text_builder().texts(bert_text()).save(dir / "whole");
  return Json::parse(std::ifstream(dir / "whole-symbol.json"));
}

Model load(const Json& symbol) {
  const std::string text = symbol.dump();
  const auto params = test::text_network_params();
  return Model::load_memory(Span<const char>(text), Span<const std::byte>(params));
}

Json& node_of(Json& symbol, const std::string& op) {
  for (Json& node : symbol["nodes"])
    if (node["op"] == op) return node;
  throw std::runtime_error(op);
}

TEST(TextModels, DamagedSymbolFilesAreErrors) {
  const Json good = whole_symbol();
  const Tensor rows = text_tensor({"able"}, 8);
  EXPECT_EQ(Predictor(load(good)).predict({rows}).size(), 1u);
  const auto damaged = [&](const std::string& op, const std::string& key, const std::string& value) {
    Json symbol = good;
    node_of(symbol, op)["attrs"][key] = value;
    return [symbol, &rows] { (void)Predictor(load(symbol)).predict({rows}); };
  };
  for (const char* op : {"_mxinfer_wordpiece", "_mxinfer_frame_text"}) {
    for (const char* length : {"9223372036854775807", "1048577", "0", "-5", "x"})
      EXPECT_THROW(damaged(op, "max_length", length)(), Error) << op << length;
  }
  for (const char* vocabulary : {"", "[", "[1]", "{}", "{\"idx_to_token\": 3}", "[\"a\", \"a\"]"})
    EXPECT_THROW(damaged("_mxinfer_wordpiece", "vocabulary", vocabulary)(), Error) << vocabulary;
  EXPECT_THROW(damaged("identity", "__mxinfer_connector__", "words")(), Error);
  // Ids that the network has no row for are clipped, as MXNet does.
  EXPECT_NO_THROW(damaged("_mxinfer_frame_text", "begin", "2000000000")());
}

/// The node that stands in the place of an input of the network.
Json& connector_of(Json& symbol, const std::string& input) {
  for (Json& node : symbol["nodes"])
    if (node.contains("attrs") && node["attrs"].value("__mxinfer_name__", "") == input) return node;
  throw std::runtime_error(input);
}

TextOptions bert_options() {
  TextOptions options;
  options.sequence.sequence_input = "data0";
  options.sequence.length_input = "data2";
  return options;
}

std::vector<float> scores_of(const Json& symbol, const std::string& text) {
  std::vector<float> scores;
  for (const Classification& c : TextClassifier(load(symbol), bert_options()).classify(text))
    scores.push_back(c.score);
  return scores;
}

// A length is not to be believed: reading so many ids of fewer would read beside them.
TEST(TextModels, FewerIdsThanTheirLengthSaysAreMalformed) {
  const Json good = whole_symbol();
  EXPECT_EQ(scores_of(good, "unable!"), (Floats{21, 210, 0, 5}));
  for (const char* input : {"data0", "data1"}) {
    Json cut = good;
    Json& connector = connector_of(cut, input);
    connector["op"] = "slice_axis";
    connector["attrs"].update(Json{{"axis", "1"}, {"begin", "0"}, {"end", "2"}});
    connector["attrs"].erase("dtype");
    EXPECT_THROW((void)scores_of(cut, "unable!"), Error) << input;
    if (input == std::string("data0"))
      EXPECT_MXINFER_ERROR((void)scores_of(cut, "unable!"), E::malformed, {"5 ids", "'data0'", "takes 2"});
  }
  // Ids of the first text alone: the others run by themselves then.
  Json rows = good;
  Json& connector = connector_of(rows, "data0");
  connector["op"] = "slice_axis";
  connector["attrs"].update(Json{{"axis", "0"}, {"begin", "0"}, {"end", "1"}});
  connector["attrs"].erase("dtype");
  const std::vector<std::string> texts = {"un", "able", "unable!"};
  const auto found = TextClassifier(load(rows), bert_options()).classify_texts(texts);
  const auto expected = TextClassifier(load(good), bert_options()).classify_texts(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(found[i][0].score, expected[i][0].score) << i;
  connector["op"] = "sum";
  connector["attrs"]["axis"] = "1";
  connector["attrs"].erase("begin");
  connector["attrs"].erase("end");
  EXPECT_MXINFER_ERROR((void)scores_of(rows, "unable!"), E::malformed, {"'data0'", "(1,)", "a row of ids"});
}

TEST(TextModels, TheirIdsAreFoundByNameNotByPlace) {
  Json symbol = whole_symbol();
  symbol["attrs"].erase("mxinfer_signature");
  const Floats expected = scores_of(symbol, "unable!");
  connector_of(symbol, "data0")["attrs"]["__mxinfer_index__"] = "2";
  connector_of(symbol, "data2")["attrs"]["__mxinfer_index__"] = "0";
  EXPECT_EQ(scores_of(symbol, "unable!"), expected);
  TextTransform text = bert_text();
  text.ids = "data1";
  text.segments.clear();
  EXPECT_MXINFER_ERROR(TextClassifier(build(text), bert_options()), E::malformed,
                       {"'data1', 'data2'", "'data0'"});
}

TEST(TextModels, TheNodeThatPadsSaysWhere) {
  Json symbol = whole_symbol();
  const Json attrs = symbol["attrs"];
  node_of(symbol, "_mxinfer_frame_text")["attrs"]["pad_side"] = "left";
  EXPECT_MXINFER_ERROR((void)scores_of(symbol, "unable!"), E::malformed, {"signature", "right", "left"});
  symbol["attrs"].erase("mxinfer_signature");
  EXPECT_EQ(scores_of(symbol, "unable!"), (Floats{21, 210, 0, 5}));
  EXPECT_EQ(api::text_parts(load(symbol))->pad_side, Side::left);
  EXPECT_EQ(TextClassifier(load(symbol), bert_options()).ids("unable!"), (std::vector<int>{2, 4, 5, 7, 3}));
}

TEST(TextModels, ConnectorsThatContradictEachOtherAreErrors) {
  const auto changed = [](auto change) {
    Json symbol = whole_symbol();
    std::vector<Json*> connectors;
    for (Json& node : symbol["nodes"])
      if (node.contains("attrs") && node["attrs"].contains("__mxinfer_connector__"))
        connectors.push_back(&node);
    change(connectors);
    return load(symbol);
  };
  EXPECT_MXINFER_ERROR(changed([](auto& nodes) { (*nodes[0])["attrs"].erase("__mxinfer_name__"); }),
                       E::malformed, {"__mxinfer_name__"});
  EXPECT_MXINFER_ERROR(changed([](auto& nodes) { (*nodes[0])["attrs"]["__mxinfer_index__"] = "1"; }),
                       E::malformed, {"input 1"});
  EXPECT_MXINFER_ERROR(changed([](auto& nodes) { (*nodes[0])["attrs"]["__mxinfer_index__"] = "x"; }),
                       E::malformed, {"__mxinfer_index__"});
  EXPECT_MXINFER_ERROR(changed([](auto& nodes) { (*nodes[0])["attrs"]["__mxinfer_connector__"] = "texts"; }),
                       E::unsupported, {"\"texts\"", "\"text\""});
}

TEST(TextModels, OfDifferentVocabulariesSideBySide) {
  TextTransform text = bert_text();
  text.begin = text.end = "";
  text.steps = {t::token_ids(Vocabulary({"x", "a", "b"}))};
  const Predictor first(build(text));
  text.steps = {t::token_ids(Vocabulary({"x", "b", "a"}))};
  const Predictor second(build(text));
  const Tensor rows = text_tensor({"a a b"}, 8);
  EXPECT_EQ(row_of(first.predict({rows})[0], 0), (Floats{4, 40, 0, 3}));
  EXPECT_EQ(row_of(second.predict({rows})[0], 0), (Floats{5, 50, 0, 3}));
}

TEST(TextModels, TwoTextsForTwoInputs) {
  TextTransform left = bert_text(), right = bert_text();
  left.segments.clear();
  left.length.clear();
  right.inputs = {"other"};
  right.ids = "data1";
  right.segments.clear();
  right.begin = right.end = "";
  const Model model = text_builder().texts(left).texts(right).build();
  ASSERT_EQ(model.signature().inputs.size(), 2u);
  const Tensor out =
      std::move(Predictor(model).predict({text_tensor({"able"}, 4), text_tensor({"un un"}, 5)})[0]);
  EXPECT_EQ(row_of(out, 0), (Floats{11, 110, 8, 2}));
  EXPECT_FALSE(api::data_of(model).file_signature->sequence);
  EXPECT_MXINFER_ERROR((void)api::text_parts(model), E::unsupported, {"2 nodes"});
}

TEST(TextModels, TextsThatAreNotFramedHaveNoParts) {
  Json symbol = whole_symbol();
  Json& frame = node_of(symbol, "_mxinfer_frame_text");
  frame["op"] = "_mxinfer_token_ids";
  frame["attrs"] = {{"max_length", "4"}, {"vocabulary", "[\"a\"]"}};
  frame["inputs"] = Json::array({Json::array({0, 0, 0})});
  EXPECT_THROW((void)api::text_parts(load(symbol)), Error);
}

}  // namespace
}  // namespace mxinfer
