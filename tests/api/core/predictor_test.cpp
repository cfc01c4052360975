#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <limits>

#include "support/expect_error.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "support/servers/environment_variable.h"

namespace mxinfer {
namespace {

using test::kDigits;
using test::load_json;
using test::tensor_of;

TEST(Predictor, TensorsInOrder) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const Tensor a = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = tensor_of<float>({2, 3}, {10, 20, 30, 40, 50, 60});
  const auto outputs = predictor.predict({a, b});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].shape(), Shape({2, 3}));
  EXPECT_EQ(outputs[0].data<float>()[5], 66);
  EXPECT_EQ(outputs[1].data<float>()[5], 12);
}

TEST(Predictor, ByName) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const Tensor a = tensor_of<float>({1, 3}, {1, 2, 3});
  const Tensor b = tensor_of<float>({1, 3}, {10, 20, 30});
  const auto outputs = predictor.predict({{"b", b.view()}, {"a", a.view()}});
  EXPECT_EQ(outputs.at("sum_output").data<float>()[2], 33);
  EXPECT_EQ(outputs.at("double_output").data<float>()[2], 6);
  EXPECT_MXINFER_ERROR(predictor.predict({{"a", a.view()}}), ErrorCode::invalid_argument,
                       {"'b'", "not given"});
  EXPECT_MXINFER_ERROR(predictor.predict({{"a", a.view()}, {"b", b.view()}, {"c", b.view()}}),
                       ErrorCode::invalid_argument, {"'c'", "'a', 'b'"});
}

TEST(Predictor, FlatArraysAreSamples) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};
  const auto outputs = predictor.predict_flat<float>({a, a});
  EXPECT_EQ(outputs[0], (std::vector<float>{2, 4, 6, 8, 10, 12}));
  const std::vector<float> odd = {1, 2, 3, 4};
  EXPECT_MXINFER_ERROR(predictor.predict_flat<float>({a, odd}), ErrorCode::invalid_argument,
                       {"'b'", "4 elements", "(1, 3)", "3"});
  EXPECT_MXINFER_ERROR(predictor.predict_flat<float>({a}), ErrorCode::invalid_argument,
                       {"1 input", "2", "'a', 'b'"});
  const std::vector<double> doubles = {1, 2, 3};
  EXPECT_EQ((predictor.predict_flat<double, double>({doubles, doubles})[0]), (std::vector<double>{2, 4, 6}));
  EXPECT_MXINFER_ERROR((predictor.predict_flat<float, double>({a, a})), ErrorCode::invalid_argument,
                       {"float32", "float64"});
}

TEST(Predictor, WrongInputsAreNamed) {
  LoadOptions options;
  options.inputs = {{"a", {-1, 3}}};
  const Predictor predictor(load_json(test::two_inputs_json(), options));
  const Tensor good(DType::float32, {2, 3}), wide(DType::float32, {2, 4}), deep(DType::float32, {2, 3, 1});
  const Tensor ints(DType::int32, {2, 3});
  EXPECT_MXINFER_ERROR(predictor.predict({good}), ErrorCode::invalid_argument, {"1 input", "2 are expected"});
  EXPECT_MXINFER_ERROR(predictor.predict({ints, good}), ErrorCode::invalid_argument,
                       {"'a'", "int32", "float32"});
  EXPECT_MXINFER_ERROR(predictor.predict({deep, good}), ErrorCode::invalid_argument,
                       {"'a'", "(2, 3, 1)", "(-1, 3)"});
  EXPECT_MXINFER_ERROR(predictor.predict({wide, wide}), ErrorCode::invalid_argument,
                       {"'a'", "(2, 4)", "(-1, 3)"});
  // 'b' is described by the file alone, so the network itself decides.
  EXPECT_MXINFER_ERROR(predictor.predict({good, wide}), ErrorCode::invalid_argument,
                       {"a float32 (2, 3)", "b float32 (2, 4)", "node 'sum' (elemwise_add)"});
  EXPECT_MXINFER_ERROR(predictor.predict({TensorView(DType::float32, {2, 3}, nullptr), good.view()}),
                       ErrorCode::invalid_argument, {"'a'", "null"});
}

TEST(Predictor, IntoTensorsOfTheCaller) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const Tensor a = tensor_of<float>({1, 3}, {1, 2, 3});
  const TensorView inputs[] = {a.view(), a.view()};
  std::vector<Tensor> outputs;
  outputs.emplace_back(DType::float32, Shape{1, 3});
  EXPECT_MXINFER_ERROR(predictor.predict_into(inputs, outputs), ErrorCode::invalid_argument,
                       {"1 output was given", "2", "'sum_output', 'double_output'"});
  outputs.emplace_back(DType::float32, Shape{3, 1});
  EXPECT_MXINFER_ERROR(predictor.predict_into(inputs, outputs), ErrorCode::invalid_argument,
                       {"'double_output'", "(3, 1)", "(1, 3)"});
  outputs[1].reshape({1, 3});
  predictor.predict_into(inputs, outputs);
  EXPECT_EQ(outputs[0].data<float>()[2], 6);
}

TEST(Predictor, OutputShapesFollowTheInputs) {
  const Predictor predictor(kDigits);
  EXPECT_EQ(predictor.output_shapes()[0].shape, Shape({1, 10}));
  EXPECT_EQ(predictor.output_shapes({{"data", {7, 1, 32, 32}}})[0].shape, Shape({7, 10}));
  EXPECT_MXINFER_ERROR(predictor.output_shapes({{"image", {7, 1, 32, 32}}}), ErrorCode::invalid_argument,
                       {"'image'", "'data'"});
  EXPECT_MXINFER_ERROR(predictor.output_shapes({{"data", {7, 2, 32, 32}}}), ErrorCode::invalid_argument,
                       {"Convolution", "weight"});
  EXPECT_NO_THROW(predictor.warmup());
  EXPECT_NO_THROW(predictor.warmup({{"data", {3, 1, 32, 32}}}));
}

TEST(Predictor, ExplainsWhatRuns) {
  Options options;
  options.threads = 1;
  const PlanInfo info = Predictor(kDigits, options).explain();
  EXPECT_GT(info.steps.size(), 5u);
  EXPECT_EQ(info.threads, 1);
  EXPECT_GT(info.arena_bytes, 0u);
  EXPECT_LT(info.arena_bytes, info.intermediate_bytes);
  const std::string text = to_string(info);
  EXPECT_NE(text.find("folded in"), std::string::npos) << text;
  EXPECT_NE(text.find("target " + info.target), std::string::npos) << text;
}

TEST(Predictor, EveryTargetGivesTheSameNumbers) {
  const auto model = Model::load(kDigits);
  const Tensor input = test::random_tensor({2, 1, 32, 32}, 5, 0.0f, 255.0f);
  Options options;
  options.target = Target::reference;
  const Tensor reference = std::move(Predictor(model, options).predict({input})[0]);
  for (const auto target : test::targets()) {
    options.target = parse_target(kernels::to_string(target));
    const Predictor predictor(model, options);
    EXPECT_LE(test::relative_difference(predictor.predict({input})[0], reference), 1e-5)
        << to_string(options.target);
    EXPECT_EQ(predictor.explain().target, to_string(options.target));
  }
}

TEST(Predictor, WrongTargetsAreRefused) {
  const auto model = Model::load(kDigits);
  Options options;
  EXPECT_MXINFER_ERROR(parse_target("sse9"), ErrorCode::invalid_argument,
                       {"\"sse9\" is not a target", "automatic, ref, baseline, avx2 or avx512"});
  EXPECT_EQ(parse_target("reference"), parse_target("ref"));
  if (!kernels::is_supported(kernels::Target::avx512)) {
    options.target = Target::avx512;
    EXPECT_MXINFER_ERROR(Predictor(model, options), ErrorCode::unsupported, {"avx512", "lacks"});
  }
  {
    const test::EnvironmentVariable target("MXINFER_TARGET", "fastest");
    EXPECT_MXINFER_ERROR(Predictor(model), ErrorCode::invalid_argument, {"MXINFER_TARGET", "fastest"});
  }
  {
    const test::EnvironmentVariable target("MXINFER_TARGET", "ref");
    EXPECT_EQ(Predictor(model).explain().target, "ref");
  }
  options = {};
  options.threads = -1;
  EXPECT_MXINFER_ERROR(Predictor(model, options), ErrorCode::invalid_argument, {"threads", "-1"});
}

TEST(Predictor, MoreThreadsThanAnyMachineRunsAreRefused) {
  const auto model = load_json(test::two_inputs_json());
  const Tensor data(DType::float32, {1, 3});
  const std::vector<TensorView> inputs{data.view(), data.view()};
  Options options;
  for (const int threads : {100000, 65535, std::numeric_limits<int>::max(), -1}) {
    options.threads = threads;
    const std::vector<std::string> facts{"Options::threads", std::to_string(threads), "1 to "};
    EXPECT_MXINFER_ERROR(Predictor(model, options), ErrorCode::invalid_argument, facts);
    EXPECT_MXINFER_ERROR(time_steps(model, options, Span<const TensorView>(inputs), 0.01),
                         ErrorCode::invalid_argument, facts);
    EXPECT_MXINFER_ERROR(tune_model(model, options), ErrorCode::invalid_argument, facts);
  }
  options.threads = 1024;
  EXPECT_NO_THROW(Predictor(model, options));
}

TEST(Model, InnerOutputsByName) {
  LoadOptions options;
  options.outputs = {"pool_output", "pool", "flat_output"};
  const auto model = load_json(test::channel_means_json(), options);
  ASSERT_EQ(model.signature().outputs.size(), 3u);
  EXPECT_EQ(model.signature().outputs[0].name, "pool_output#0");  // one value that is asked for twice
  EXPECT_EQ(model.signature().outputs[1].name, "pool_output#1");
  EXPECT_EQ(model.signature().outputs[0].shape, Shape({-1, 3, 1, 1}));
  const Tensor data(DType::float32, {1, 3, 4, 6});
  EXPECT_EQ(Predictor(model).predict({data})[1].shape(), Shape({1, 3, 1, 1}));
  options.outputs = {"fc1_output"};
  EXPECT_MXINFER_ERROR(load_json(test::channel_means_json(), options), ErrorCode::not_found,
                       {"'fc1_output'"});
}

TEST(Model, SignatureFromHintsCallerOrParameters) {
  const auto hinted = load_json(test::channel_means_json("(16, 3, 4, 6)"));
  EXPECT_EQ(hinted.signature().inputs[0].shape, Shape({-1, 3, 4, 6}));
  // A hint is not a law: the network takes other sizes.
  const Tensor large(DType::float32, {2, 3, 8, 8});
  EXPECT_EQ(Predictor(hinted).predict({large})[0].shape(), Shape({2, 3}));

  LoadOptions options;
  options.inputs = {{"data", {-1, 3, -1, -1}, DType::float32, "NCHW"}};
  const auto given = load_json(test::channel_means_json("(16, 3, 4, 6)"), options);
  EXPECT_EQ(given.signature().inputs[0].shape, Shape({-1, 3, -1, -1}));
  EXPECT_EQ(given.signature().outputs[0].shape, Shape({-1, 3}));

  const auto unknown = load_json(test::channel_means_json(""));
  EXPECT_EQ(unknown.signature().inputs[0].shape.rank(), 0u);
  const std::vector<float> values(12);
  EXPECT_MXINFER_ERROR(Predictor(unknown).predict_flat<float>({values}), ErrorCode::invalid_argument,
                       {"'data'", "LoadOptions::inputs"});

  const auto guessed = Model::load(kDigits);
  EXPECT_EQ(guessed.signature().inputs[0].shape, Shape({-1, 1, 32, 32}));
  EXPECT_EQ(guessed.signature().outputs[0].shape, Shape({-1, 10}));
}

TEST(Model, DescriptorsThatDoNotFitAreRefused) {
  LoadOptions options;
  options.inputs = {{"image", {-1, 3, 4, 6}}};
  EXPECT_MXINFER_ERROR(load_json(test::channel_means_json(), options), ErrorCode::invalid_argument,
                       {"'image'", "'data'"});
  options.inputs = {{"data", {-1, 3, 4, 6}, DType::float32, "NTC"}};
  EXPECT_MXINFER_ERROR(load_json(test::channel_means_json(), options), ErrorCode::invalid_argument,
                       {"NTC", "4"});
  options.inputs = {{"data", {-2, 3, 4, 6}}};
  EXPECT_MXINFER_ERROR(load_json(test::channel_means_json(), options), ErrorCode::invalid_argument,
                       {"(-2, 3, 4, 6)"});
}

TEST(Model, AMissingParameterIsNamed) {
  const std::string json = R"({"nodes": [
    {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "4", "no_bias": "True"},
     "inputs": [[0, 0, 0], [1, 0, 0]]}], "arg_nodes": [0, 1], "heads": [[2, 0, 0]]})";
  EXPECT_MXINFER_ERROR(load_json(json), ErrorCode::malformed,
                       {"1 parameter", "'fc_weight'", "weight of node 'fc' (FullyConnected)"});
}

TEST(Model, UnsupportedOperatorsAreOneError) {
  const std::string json = R"({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "WarpDrive", "name": "w1", "inputs": [[0, 0, 0]]}, {"op": "WarpDrive", "name": "w2", "inputs": [[1, 0, 0]]},
    {"op": "FluxCapacitor", "name": "f", "inputs": [[2, 0, 0]]}], "arg_nodes": [0], "heads": [[3, 0, 0]]})";
  EXPECT_MXINFER_ERROR(load_json(json), ErrorCode::unsupported,
                       {"WarpDrive", "w1", "w2", "FluxCapacitor", "f"});
}

}  // namespace
}  // namespace mxinfer
