// Sequences of any length through networks of certain lengths, and of any.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/real_models.h"
#include "support/networks/sequence_golden.h"
#include "support/networks/text_network.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using test::kSequenceTolerance;
using Ids = std::vector<std::int32_t>;
using test::same_bits;

const Tensor& only(const std::vector<Tensor>& outputs) {
  EXPECT_EQ(outputs.size(), 1U);
  return outputs.at(0);
}

std::vector<float> floats_of(const Tensor& tensor) {
  const auto values = tensor.span<float>();
  return {values.begin(), values.end()};
}

/// Takes (N, T) and gives it times two, (N, T), and its sum over the time, (N,): what padding does is seen.
/// `shape` is the hint of the input, such as "(0, 4)"; `layout` that of its layout.
std::string doubling_json(const std::string& shape = "(0, 0)", const std::string& layout = "NT") {
  const std::string axis = layout == "TN" ? "0" : "1";
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": ")json" +
         shape + R"json(", "__layout__": ")json" + layout + R"json("}, "inputs": []},
    {"op": "_mul_scalar", "name": "double", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "sum", "name": "sum", "attrs": {"axis": ")json" +
         axis + R"json("}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0], [2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

/// Inputs (N, T), (N, T) and (N,), and an output for each.
std::string three_inputs_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "null", "name": "segments", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "null", "name": "valid_length", "attrs": {"__shape__": "(0,)"}, "inputs": []},
    {"op": "elemwise_add", "name": "both", "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "_mul_scalar", "name": "length", "attrs": {"scalar": "1"}, "inputs": [[2, 0, 0]]}],
    "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0], [4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

SequencePredictor doubling(SequenceOptions options = {}, const std::string& layout = "NT") {
  return SequencePredictor(test::load_json(doubling_json("(0, 0)", layout)), options);
}

SequenceOptions with_buckets(std::vector<std::int64_t> buckets) {
  SequenceOptions options;
  options.buckets = std::move(buckets);
  return options;
}

TEST(SequencePredictor, RunsSequencesAtTheirOwnLength) {
  const SequencePredictor predictor = doubling();
  EXPECT_TRUE(predictor.buckets().empty());
  EXPECT_EQ(predictor.bucket_of(7), 7);
  const auto outputs = predictor.predict_sequence(Ids{1, 2, 3});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].shape(), Shape({3}));
  EXPECT_EQ(floats_of(outputs[0]), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(outputs[1].shape(), Shape());
  EXPECT_EQ(floats_of(outputs[1]), (std::vector<float>{6}));
}

TEST(SequencePredictor, PadsAndCuts) {
  for (const Side side : {Side::left, Side::right}) {
    SequenceOptions options = with_buckets({4, 8});
    options.pad_side = side;
    options.pad_value = 100;
    const auto outputs = doubling(options).predict_sequence(Ids{1, 2, 3, 4, 5});
    EXPECT_EQ(floats_of(outputs[0]), (std::vector<float>{2, 4, 6, 8, 10}));
    EXPECT_EQ(floats_of(outputs[1]), (std::vector<float>{15 + 300}));  // three of padding
    options.cut_outputs = false;
    const auto whole = doubling(options).predict_sequence(Ids{1, 2, 3, 4, 5});
    const std::vector<float> left{200, 200, 200, 2, 4, 6, 8, 10}, right{2, 4, 6, 8, 10, 200, 200, 200};
    EXPECT_EQ(floats_of(whole[0]), side == Side::left ? left : right);
  }
}

TEST(SequencePredictor, FindsTheAxisOfTimeFirst) {
  SequenceOptions options = with_buckets({4});
  options.pad_value = 100;
  const SequencePredictor predictor = doubling(options, "TN");
  const std::vector<Ids> sequences = {{1, 2, 3}, {5}, {7, 8}, {9, 9, 9, 9}};
  const auto outputs = predictor.predict_sequences(sequences);
  const std::vector<std::vector<float>> expected = {{2, 4, 6}, {10}, {14, 16}, {18, 18, 18, 18}};
  const std::vector<float> sums = {106, 305, 215, 36};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(floats_of(outputs[i][0]), expected[i]);
    EXPECT_EQ(floats_of(outputs[i][1]), (std::vector<float>{sums[i]}));
  }
}

TEST(SequencePredictor, TruncatesOrRefuses) {
  SequenceOptions options = with_buckets({2, 4});
  const Ids ids = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(floats_of(doubling(options).predict_sequence(ids)[0]), (std::vector<float>{2, 4, 6, 8}));
  options.truncate_side = Side::left;
  EXPECT_EQ(floats_of(doubling(options).predict_sequence(ids)[0]), (std::vector<float>{6, 8, 10, 12}));
  options.too_long = TooLong::error;
  EXPECT_MXINFER_ERROR(doubling(options).predict_sequence(ids), ErrorCode::invalid_argument,
                       {"length 6", "largest bucket is 4"});
  EXPECT_MXINFER_ERROR(doubling(options).bucket_of(5), ErrorCode::invalid_argument, {"length 5"});
  EXPECT_EQ(doubling(options).bucket_of(4), 4);
  EXPECT_MXINFER_ERROR(doubling(options).bucket_of(0), ErrorCode::invalid_argument, {"length 0"});
}

TEST(SequencePredictor, KeepsTheOrderOfSequences) {
  SequenceOptions options = with_buckets({2, 5, 9});
  options.max_batch = 4;
  const SequencePredictor predictor = doubling(options);
  std::vector<Ids> sequences;
  for (int i = 0; i < 50; ++i) sequences.emplace_back(static_cast<std::size_t>(1 + i * 7 % 9), i);
  const auto outputs = predictor.predict_sequences(sequences);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    EXPECT_EQ(floats_of(outputs[i][0]), std::vector<float>(sequences[i].size(), 2 * static_cast<float>(i)));
  }
  // Batches of 4, 2 and 1 for each bucket at most.
  EXPECT_LE(predictor.stats().plans_made, 9U);
}

// The mean over a batch, and the sum over its samples, would depend on what else is in the list.
TEST(SequencePredictor, RunsAloneWhatSumsOverTheBatch) {
  const SequencePredictor predictor(test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "mean", "name": "loss", "attrs": {"axis": "()"}, "inputs": [[0, 0, 0]]},
    {"op": "sum", "name": "total", "attrs": {"axis": "0"}, "inputs": [[0, 0, 0]]},
    {"op": "_ones", "name": "constant", "attrs": {"shape": "(2,)"}, "inputs": []}],
    "arg_nodes": [0], "heads": [[1, 0, 0], [2, 0, 0], [3, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10901]}})json"));
  const std::vector<Ids> sequences = {{1, 2}, {10, 20}, {100, 200}};
  const auto all = predictor.predict_sequences(sequences);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto alone = predictor.predict_sequence(sequences[i]);
    for (std::size_t o = 0; o < 3; ++o) EXPECT_TRUE(same_bits(all[i][o], alone[o])) << i << ' ' << o;
    EXPECT_EQ(floats_of(all[i][1]), std::vector<float>(sequences[i].begin(), sequences[i].end()));
  }
}

TEST(SequencePredictor, ReportsWrongSequencesByItem) {
  const SequencePredictor predictor = doubling(with_buckets({4}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> good = {1, 2}, bad = {1, nan};
  const Tensor integers(DType::int32, {3}), matrix(DType::float32, {2, 2});
  const std::vector<TensorView> sequences = {{good.data(), {2}}, {bad.data(), {2}}, {good.data(), {0}},
                                             integers.view(),    matrix.view(),     {good.data(), {1}}};
  std::vector<ItemError> errors;
  const auto outputs = predictor.predict_sequences(sequences, &errors);
  ASSERT_EQ(errors.size(), 4U);
  const std::vector<std::string> facts = {"not finite", "length 0", "int32", "(2, 2)"};
  for (std::size_t e = 0; e < errors.size(); ++e) {
    EXPECT_EQ(errors[e].item, e + 1);
    EXPECT_EQ(errors[e].error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(errors[e].error.what()).find(facts[e]), std::string::npos)
        << errors[e].error.what();
    EXPECT_TRUE(outputs[errors[e].item].empty());
  }
  EXPECT_EQ(floats_of(outputs[0][0]), (std::vector<float>{2, 4}));
  EXPECT_EQ(floats_of(outputs[5][0]), (std::vector<float>{2}));
  EXPECT_MXINFER_ERROR(predictor.predict_sequences(sequences), ErrorCode::invalid_argument,
                       {"sequence 1", "not finite"});
  EXPECT_MXINFER_ERROR(predictor.predict_sequence(Ids{}), ErrorCode::invalid_argument, {"length 0"});
  EXPECT_TRUE(predictor.predict_sequences(std::vector<Ids>()).empty());
}

TEST(SequencePredictor, SetsLengthsAndPadsWhatStandsBeside) {
  const Model model = test::load_json(three_inputs_json());
  SequenceOptions options = with_buckets({4});
  options.pad_value = 50;
  options.cut_outputs = false;
  const SequencePredictor predictor(model, options);
  const std::vector<float> data = {1, 2, 3}, segments = {0, 1, 1}, longer = {0, 0, 0, 0};
  const std::vector<NamedViews<TensorView>> sequences = {
      {{"data", {data.data(), {3}}}, {"segments", {segments.data(), {3}}}},
      {{"data", {data.data(), {3}}}, {"segments", {longer.data(), {4}}}},
      {{"data", {data.data(), {3}}}},
      {{"data", {data.data(), {3}}}, {"segments", {segments.data(), {3}}}, {"what", {data.data(), {3}}}},
      {{"data", {data.data(), {1}}}, {"segments", {segments.data() + 1, {1}}}}};
  std::vector<ItemError> errors;
  const auto outputs = predictor.predict_sequences(sequences, &errors);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_NE(std::string(errors[0].error.what()).find("length of 4"), std::string::npos);
  EXPECT_NE(std::string(errors[1].error.what()).find("'segments'"), std::string::npos);
  EXPECT_NE(std::string(errors[2].error.what()).find("'what' is not an input"), std::string::npos);
  EXPECT_EQ(floats_of(outputs[0][0]), (std::vector<float>{1, 3, 4, 50}));  // padding of segments is 0
  EXPECT_EQ(floats_of(outputs[0][1]), (std::vector<float>{3}));
  EXPECT_EQ(floats_of(outputs[4][1]), (std::vector<float>{1}));
}

// One id of a speaker and one gain for each sequence are as wrong as values of the sequence may be.
TEST(SequencePredictor, RefusesWrongValuesBesideTheSequence) {
  const Model model = test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "null", "name": "speaker", "attrs": {"__shape__": "(0,)"}, "inputs": []},
    {"op": "null", "name": "gain", "attrs": {"__shape__": "(0, 1)"}, "inputs": []},
    {"op": "_ones", "name": "rows", "attrs": {"shape": "(5, 1)"}, "inputs": []},
    {"op": "Embedding", "name": "voice", "attrs": {"input_dim": "5", "output_dim": "1"},
     "inputs": [[1, 0, 0], [3, 0, 0]]},
    {"op": "broadcast_add", "name": "spoken", "inputs": [[0, 0, 0], [4, 0, 0]]},
    {"op": "broadcast_mul", "name": "out", "inputs": [[5, 0, 0], [2, 0, 0]]}],
    "arg_nodes": [0, 1, 2], "heads": [[6, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json");
  const SequencePredictor predictor(model);
  const auto run = [&](float speaker, float gain) {
    const std::vector<float> data = {1, 2};
    const NamedViews<TensorView> inputs(
        {{"data", {data.data(), {2}}}, {"speaker", {&speaker, Shape{}}}, {"gain", {&gain, {1}}}});
    return floats_of(predictor.predict_sequences({&inputs, 1})[0][0]);
  };
  EXPECT_EQ(run(4, 10), (std::vector<float>{20, 30}));
  EXPECT_MXINFER_ERROR(run(5, 1), ErrorCode::invalid_argument,
                       {"'speaker'", "id 5 at position 0;", "0 to 4"});
  EXPECT_MXINFER_ERROR(run(1, std::nanf("")), ErrorCode::invalid_argument, {"'gain'", "not finite"});
  try {
    (void)run(1, std::nanf(""));
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("of the sequence"), std::string::npos) << e.what();
  }
}

TEST(SequencePredictor, RefusesLengthsThatTheirInputCannotHave) {
  LoadOptions load;
  load.inputs = {{"valid_length", {-1}, DType::uint8}};
  const Model model = test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "null", "name": "valid_length", "inputs": []},
    {"op": "_mul_scalar", "name": "out", "attrs": {"scalar": "1"}, "inputs": [[0, 0, 0]]},
    {"op": "Cast", "name": "length", "attrs": {"dtype": "float32"}, "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json",
                                      load);
  const SequencePredictor predictor(model);
  std::vector<ItemError> errors;
  const auto outputs =
      predictor.predict_sequences(std::vector<Ids>{Ids(255), Ids(300), Ids(300), Ids(2)}, &errors);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(std::string(errors[0].error.what()).find("uint8, which cannot hold 300"), std::string::npos);
  EXPECT_EQ(floats_of(outputs[0].at(1)), (std::vector<float>{255}));
  EXPECT_EQ(floats_of(outputs[3].at(1)), (std::vector<float>{2}));
}

TEST(SequencePredictor, GivesWhatMxnetGivesOfAFreeLength) {
  const auto golden = test::read_sequence_golden("tagger");
  for (const std::vector<std::int64_t>& buckets : {std::vector<std::int64_t>{}, {4, 8}}) {
    const SequencePredictor predictor(test::sequence_model("tagger"), with_buckets(buckets));
    const auto outputs = predictor.predict_sequences(golden.sequences);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      ASSERT_EQ(outputs[i].size(), 2U);
      for (std::size_t o = 0; o < 2; ++o) {
        EXPECT_EQ(outputs[i][o].shape(), golden.outputs[i][o].shape());
        EXPECT_LE(test::relative_difference(outputs[i][o], golden.outputs[i][o]), kSequenceTolerance)
            << i << ' ' << o;
      }
    }
  }
}

// As Gluon's export() names inputs; what SequenceMask reads is the length all the same.
TEST(SequencePredictor, FindsTheLengthByWhatReadsIt) {
  const auto golden = test::read_sequence_golden("tagger");
  std::string json = test::read_file(test::sequence_model("tagger") + "-symbol.json");
  for (std::size_t at; (at = json.find("\"valid_length\"")) != std::string::npos;)
    json.replace(at, 14, "\"data1\"");
  const std::string params = test::read_file(test::sequence_model("tagger") + "-0000.params");
  const Model model = Model::load_memory(Span<const char>(json), Span<const char>(params));
  const auto outputs = SequencePredictor(model, with_buckets({8})).predict_sequences(golden.sequences);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    EXPECT_LE(test::relative_difference(outputs[i][1], golden.outputs[i][1]), kSequenceTolerance) << i;
}

// As GluonNLP exports BERT.
TEST(SequencePredictor, FindsTheLengthOfBert) {
  std::string json = R"json({"nodes": [
    {"op": "null", "name": "data0", "inputs": []}, {"op": "null", "name": "words", "inputs": []},
    {"op": "Embedding", "name": "w", "attrs": {"input_dim": "4", "output_dim": "2"}, "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "null", "name": "data1", "inputs": []}, {"op": "null", "name": "types", "inputs": []},
    {"op": "Embedding", "name": "t", "attrs": {"input_dim": "2", "output_dim": "2"}, "inputs": [[3, 0, 0], [4, 0, 0]]},
    {"op": "elemwise_add", "name": "both", "inputs": [[2, 0, 0], [5, 0, 0]]},
    {"op": "null", "name": "data2", "inputs": []},
    {"op": "_mul_scalar", "name": "length", "attrs": {"scalar": "1"}, "inputs": [[7, 0, 0]]}],
    "arg_nodes": [0, 1, 3, 4, 7], "heads": [[6, 0, 0], [8, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const auto params =
      test::ParamsWriter()
          .add("arg:words", test::dense_v2(DType::float32, {4, 2}, test::floats({0, 0, 1, 1, 2, 2, 3, 3})))
          .add("arg:types", test::dense_v2(DType::float32, {2, 2}, test::floats({0, 0, 10, 10})))
          .finish();
  const SequencePredictor predictor(Model::load_memory(Span<const char>(json), Span<const std::byte>(params)),
                                    with_buckets({4}));
  const std::vector<float> ids = {3, 1, 2}, types = {0, 0, 1};
  const std::vector<NamedViews<TensorView>> sequences = {
      {{"data0", {ids.data(), {3}}}, {"data1", {types.data(), {3}}}}};
  const auto all = predictor.predict_sequences(sequences);
  const auto& outputs = all[0];
  EXPECT_EQ(floats_of(outputs[0]), (std::vector<float>{3, 3, 1, 1, 12, 12}));
  EXPECT_EQ(floats_of(outputs[1]), (std::vector<float>{3}));
  const std::vector<float> three = {0, 0, 2};
  const std::vector<NamedViews<TensorView>> wrong = {
      {{"data0", {ids.data(), {3}}}, {"data1", {three.data(), {3}}}}};
  EXPECT_MXINFER_ERROR(predictor.predict_sequences(wrong), ErrorCode::invalid_argument,
                       {"'data1'", "0 to 1"});
}

// What else is in the batch is none of a sequence's business.
TEST(SequencePredictor, ResultsDependOnNothingElse) {
  const auto golden = test::read_sequence_golden("tagger");
  const SequencePredictor predictor(test::sequence_model("tagger"), with_buckets({8}));
  const Ids mine = golden.sequences[2];
  const auto with = [&](const Ids& other) {
    return std::move(predictor.predict_sequences(std::vector<Ids>{other, mine})[1]);
  };
  const auto first = with({1}), second = with({12, 3, 4, 5, 6, 7, 8, 9});
  for (std::size_t o = 0; o < first.size(); ++o) EXPECT_TRUE(same_bits(first[o], second[o])) << o;
}

TEST(SequencePredictor, RefusesIdsThatHaveNoRow) {
  const SequencePredictor predictor(test::sequence_model("tagger"), with_buckets({8}));
  std::vector<ItemError> errors;
  const auto outputs = predictor.predict_sequences(std::vector<Ids>{{1, 13}, {1, 12}, {-1}}, &errors);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(std::string(errors[0].error.what()).find("id 13 at position 1"), std::string::npos);
  EXPECT_NE(std::string(errors[1].error.what()).find("0 to 12"), std::string::npos);
  EXPECT_FALSE(outputs[1].empty());
  SequenceOptions options;
  options.pad_value = 13;
  EXPECT_MXINFER_ERROR(SequencePredictor(test::sequence_model("tagger"), options),
                       ErrorCode::invalid_argument, {"pad_value is 13", "0 to 12"});
}

TEST(SequencePredictor, RefusesWrongOptions) {
  const Model model = test::load_json(doubling_json());
  const auto make = [&](const SequenceOptions& options) { return SequencePredictor(model, options); };
  EXPECT_MXINFER_ERROR(make(with_buckets({4, 4})), ErrorCode::invalid_argument, {"buckets[1] is 4", "rise"});
  EXPECT_MXINFER_ERROR(make(with_buckets({8, 4})), ErrorCode::invalid_argument, {"buckets[1] is 4"});
  EXPECT_MXINFER_ERROR(make(with_buckets({0, 4})), ErrorCode::invalid_argument, {"buckets[0] is 0"});
  SequenceOptions options;
  options.max_batch = 0;
  EXPECT_MXINFER_ERROR(make(options), ErrorCode::invalid_argument, {"max_batch is 0"});
  options = {};
  options.sequence_input = "dada";
  EXPECT_MXINFER_ERROR(make(options), ErrorCode::invalid_argument, {"sequence_input", "'dada'", "'data'"});
  options = {};
  options.length_input = "nope";
  EXPECT_MXINFER_ERROR(make(options), ErrorCode::invalid_argument, {"length_input", "'nope'"});
  options = {};
  options.states = {{"h", "h_out"}};
  EXPECT_MXINFER_ERROR(make(options), ErrorCode::invalid_argument, {"states", "'h'"});
  options = {};
  options.pad_value = std::numeric_limits<double>::infinity();
  EXPECT_MXINFER_ERROR(make(options), ErrorCode::invalid_argument, {"pad_value"});
}

// A network of one length finds it by itself, and takes no other.
TEST(SequencePredictor, KnowsTheOneLengthOfANetwork) {
  const Model model = test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "Reshape", "name": "flat", "attrs": {"shape": "(-1, 12)"}, "inputs": [[0, 0, 0]]},
    {"op": "broadcast_add", "name": "out", "inputs": [[1, 0, 0], [0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json");
  SequenceOptions options;
  options.cut_outputs = false;
  const SequencePredictor predictor(model, options);
  ASSERT_EQ(predictor.buckets(), (std::vector<std::int64_t>{12}));
  EXPECT_EQ(floats_of(only(predictor.predict_sequence(Ids{1, 2}))),
            (std::vector<float>{2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_MXINFER_ERROR(SequencePredictor(model, with_buckets({12, 13})), ErrorCode::invalid_argument,
                       {"length 13"});
}

// A length that is stated is meant, whatever else the network takes.
TEST(SequencePredictor, TakesAStatedLengthAsItsBucket) {
  LoadOptions load;
  load.inputs = {{"data", {-1, 6}}};
  const Model model = test::load_json(doubling_json(), load);
  EXPECT_EQ(SequencePredictor(model).buckets(), (std::vector<std::int64_t>{6}));
  EXPECT_EQ(floats_of(SequencePredictor(model).predict_sequence(Ids{1, 2})[0]), (std::vector<float>{2, 4}));
  EXPECT_EQ(SequencePredictor(model, with_buckets({3, 9})).buckets(), (std::vector<std::int64_t>{3, 9}));
}

// Behind the texts of a model stands a network of ids, and its file says how sequences go in.
TEST(SequencePredictor, TakesWhatTheSignatureSays) {
  const std::string json = test::text_network_json();
  const auto params = test::text_network_params();
  VocabularyOptions words;
  words.unknown = "[UNK]";
  words.padding = "[PAD]";
  TextTransform text;
  text.steps = {
      transforms::wordpiece(Vocabulary({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d"}, words))};
  text.max_length = 10;
  text.ids = "data0";
  text.segments = "data1";
  text.length = "data2";
  text.buckets = {4, 8, 10};
  const Model model =
      ModelBuilder::from_memory(Span<const char>(json), Span<const std::byte>(params)).texts(text).build();
  const SequencePredictor predictor(model);
  EXPECT_EQ(predictor.buckets(), (std::vector<std::int64_t>{4, 8, 10}));
  const std::vector<float> ids = {2, 4, 5}, segments = {0, 0, 1};
  const std::vector<NamedViews<TensorView>> sequences = {
      {{"data0", {ids.data(), {3}}}, {"data1", {segments.data(), {3}}}}};
  EXPECT_EQ(floats_of(predictor.predict_sequences(sequences)[0][0]), (std::vector<float>{11, 110, 1, 3}));
  EXPECT_MXINFER_ERROR(predictor.predict_sequence(Ids{1, 2}), ErrorCode::invalid_argument,
                       {"'data1'", "not given"});
  SequenceOptions options = with_buckets({5});
  EXPECT_EQ(SequencePredictor(model, options).buckets(), (std::vector<std::int64_t>{5}));
}

TEST(SequencePredictor, RunsVectors) {
  // (N, T, 2) to its sums over the features.
  const Model model = test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0, 2)"}, "inputs": []},
    {"op": "sum", "name": "sum", "attrs": {"axis": "2"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json");
  const SequencePredictor predictor(model, with_buckets({3}));
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(floats_of(only(predictor.predict_sequence(TensorView(values.data(), {2, 2})))),
            (std::vector<float>{3, 7}));
  EXPECT_MXINFER_ERROR(predictor.predict_sequence(TensorView(values.data(), {2, 3})),
                       ErrorCode::invalid_argument, {"(2, 3)", "(-1, 2)"});
  EXPECT_MXINFER_ERROR(predictor.predict_sequence(Ids{1}), ErrorCode::invalid_argument, {"vectors"});
}

TEST(SequencePredictor, NeedsToKnowTheShape) {
  const Model model = test::load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "relu", "name": "out", "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json");
  EXPECT_MXINFER_ERROR(SequencePredictor(model), ErrorCode::invalid_argument,
                       {"'data'", "LoadOptions::inputs"});
}

TEST(SequencePredictor, TakesIdsOfAnyDType) {
  for (const DType dtype : {DType::float32, DType::int64, DType::uint8, DType::float16, DType::int32}) {
    LoadOptions load;
    load.inputs = {{"data", {-1, -1}, dtype}};
    const Model model = test::load_json(R"json({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "Cast", "name": "out", "attrs": {"dtype": "float32"}, "inputs": [[0, 0, 0]]}],
      "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json",
                                        load);
    const SequencePredictor predictor(model, with_buckets({4}));
    EXPECT_EQ(floats_of(only(predictor.predict_sequence(Ids{200, 3, 17}))), (std::vector<float>{200, 3, 17}));
    if (dtype == DType::uint8) {
      EXPECT_MXINFER_ERROR(predictor.predict_sequence(Ids{256}), ErrorCode::invalid_argument,
                           {"256", "uint8"});
    }
    if (dtype == DType::float16) {
      EXPECT_MXINFER_ERROR(predictor.predict_sequence(Ids{2049}), ErrorCode::invalid_argument,
                           {"2049", "float16"});
    }
  }
}

TEST(SequencePredictor, RunsAsynchronously) {
  SequenceOptions options = with_buckets({4});
  options.options.async.max_batch = 8;
  const SequencePredictor predictor = doubling(options);
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  for (int i = 0; i < 40; ++i) {
    const auto length = static_cast<std::size_t>(i % 5);  // each fifth is wrong: it has no ids
    predictions.push_back(predictor.predict_sequence_async(Ids(length, i)));
  }
  for (int i = 0; i < 40; ++i) {
    const auto length = static_cast<std::size_t>(i % 5);
    auto& prediction = predictions[static_cast<std::size_t>(i)];
    if (length == 0) {
      EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::invalid_argument, {"length 0"});
    } else {
      EXPECT_EQ(floats_of(prediction.get()[0]), std::vector<float>(length, 2 * static_cast<float>(i)));
    }
  }
  auto many = predictor.predict_sequences_async({{1}, {2, 2}});
  EXPECT_EQ(floats_of(many.get()[1][0]), (std::vector<float>{4, 4}));
}

TEST(SequencePredictor, KeepsPlansForAllBuckets) {
  SequenceOptions options = with_buckets({1, 2, 3, 4, 5, 6, 7, 8});
  const SequencePredictor predictor = doubling(options);
  predictor.warmup_buckets();
  const auto made = predictor.stats().plans_made;
  EXPECT_EQ(made, 8U * 6U);  // batches of 1, 2, 4, 8, 16 and 32
  for (std::size_t length = 1; length <= 8; ++length) (void)predictor.predict_sequence(Ids(length, 1));
  EXPECT_EQ(predictor.stats().plans_made, made);
}

TEST(SequencePredictor, IsAPredictorStill) {
  const SequencePredictor predictor = doubling(with_buckets({4}));
  const Predictor copy = predictor;
  const std::vector<float> batch = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(copy.predict({TensorView(batch.data(), {2, 3})})[0].shape(), Shape({2, 3}));
}

// Trained by others: 40 words, padded on the left by zeros.
TEST(RealSequences, SentimentPaddedOnTheLeft) {
  const auto folders = test::real_models();
  const auto folder = std::find_if(folders.begin(), folders.end(),
                                   [](const std::string& name) { return name.ends_with("/sentiment_lstm"); });
  if (folder == folders.end()) GTEST_SKIP() << test::kNoRealModels;
  SequenceOptions options;
  options.pad_side = Side::left;
  options.truncate_side = Side::left;
  const SequencePredictor predictor(*folder, options);
  EXPECT_EQ(predictor.buckets(), (std::vector<std::int64_t>{40}));
  for (const auto& file : test::recordings_of(*folder)) {
    const auto golden = test::read_golden(file);
    const Tensor& data = golden.inputs.at("data");
    std::vector<Ids> sequences;
    for (std::int64_t n = 0; n < data.shape()[0]; ++n) {
      const float* row = data.data<float>() + n * 40;
      sequences.emplace_back(std::find_if(row, row + 40, [](float id) { return id != 0; }), row + 40);
    }
    const auto outputs = predictor.predict_sequences(sequences);
    for (std::size_t n = 0; n < outputs.size(); ++n) {
      EXPECT_EQ(only(outputs[n]).shape(), Shape({2}));
      EXPECT_LE(
          test::relative_difference(outputs[n][0], TensorView(golden.outputs[0].data<float>() + 2 * n, {2})),
          kSequenceTolerance);
      EXPECT_LT(sequences[n].size(), 40U);
    }
  }
}

}  // namespace
}  // namespace mxinfer
