// What may be fed: dtypes that were only guessed, labels of the training, variables that stand for
// parameters, images without a batch.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::load_json;
using test::tensor_of;

// One operator over the variables "data", "a", "b", as many as `inputs`.
std::string one_op(const std::string& op, const std::string& attrs, int inputs = 1,
                   const std::string& hints = "{}") {
  const char* names[] = {"data", "a", "b"};
  std::string nodes, ports;
  for (int i = 0; i < inputs; ++i) {
    nodes += R"({"op": "null", "name": ")" + std::string(names[i]) + R"(", "attrs": )" +
             (i == 0 ? hints : "{}") + R"(, "inputs": []}, )";
    ports += (i == 0 ? "[" : ", [") + std::to_string(i) + ", 0, 0]";
  }
  return R"({"nodes": [)" + nodes + R"({"op": ")" + op + R"(", "name": "n", "attrs": )" + attrs +
         R"(, "inputs": [)" + ports + R"(]}], "arg_nodes": [0], "heads": [[)" + std::to_string(inputs) +
         R"(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})";
}

TEST(FedInputs, AGuessedDtypeMayBeAnother) {
  const Predictor flip(load_json(one_op("reverse", R"({"axis": "0"})")));
  EXPECT_EQ(flip.predict({tensor_of<std::uint8_t>({3}, {1, 2, 3})})[0].data<std::uint8_t>()[0], 3);
  EXPECT_EQ(flip.predict({tensor_of<float>({3}, {1, 2, 3})})[0].data<float>()[0], 3);
  const Predictor image(load_json(one_op("_image_flip_left_right", "{}")));
  EXPECT_EQ(image.predict({tensor_of<std::uint8_t>({1, 2, 1}, {1, 2})})[0].data<std::uint8_t>()[0], 2);
  // int32 lengths.
  const Predictor mask(
      load_json(one_op("SequenceMask", R"({"use_sequence_length": "True", "value": "9"})", 2)));
  const Tensor data = tensor_of<float>({2, 2, 1}, {1, 2, 3, 4});
  EXPECT_EQ(mask.predict({data, tensor_of<std::int32_t>({2}, {2, 1})})[0].data<float>()[3], 9);
  // Flat arrays too.
  const Predictor sum(load_json(test::two_inputs_json()));
  const std::vector<std::int32_t> ints{1, 2, 3};
  EXPECT_EQ((sum.predict_flat<std::int32_t, std::int32_t>({ints, ints})[0]),
            (std::vector<std::int32_t>{2, 4, 6}));
}

TEST(FedInputs, WhatTheNetworkDoesNotTakeIsTheNodesError) {
  const Predictor sum(load_json(test::two_inputs_json()));
  EXPECT_MXINFER_ERROR(sum.predict({Tensor(DType::float32, {1, 3}), Tensor(DType::int32, {1, 3})}),
                       ErrorCode::invalid_argument, {"node 'sum' (elemwise_add)", "int32"});
}

TEST(FedInputs, ADtypeThatIsDeclaredStays) {
  const Tensor bytes(DType::uint8, {3});
  EXPECT_MXINFER_ERROR(Predictor(load_json(one_op("reverse", R"({"axis": "0"})", 1, R"({"__dtype__": "0"})")))
                           .predict({bytes}),
                       ErrorCode::invalid_argument, {"'data' is uint8", "float32 is expected"});
  LoadOptions load;
  load.inputs = {{"data", {-1}}};
  EXPECT_MXINFER_ERROR(Predictor(load_json(one_op("reverse", R"({"axis": "0"})"), load)).predict({bytes}),
                       ErrorCode::invalid_argument, {"'data' is uint8", "float32 is expected"});
}

TEST(FedInputs, ValuesForLabelsOfTheTrainingArePassedOver) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [], "attrs": {"__shape__": "(0, 2)"}},
    {"op": "null", "name": "softmax_label", "inputs": []},
    {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Predictor predictor(load_json(json));
  const Tensor data(DType::float32, {1, 2}), label(DType::float32, {1});
  EXPECT_EQ(predictor.predict({{"data", data.view()}, {"softmax_label", label.view()}})
                .at("softmax_output")
                .data<float>()[0],
            0.5f);
  EXPECT_MXINFER_ERROR(predictor.predict({{"data", data.view()}, {"softmax_labels", label.view()}}),
                       ErrorCode::invalid_argument, {"'softmax_labels'", "'data'"});
}

TEST(FedInputs, AParametersPlaceMayBeFed) {
  LoadOptions load;
  const std::string json = one_op("LayerNorm", "{}", 3);
  EXPECT_MXINFER_ERROR(load_json(json), ErrorCode::malformed,
                       {"'a' (gamma", "'b' (beta", "LoadOptions::input_names"});
  load.input_names = {"data", "a", "b", "nobody"};
  const Predictor predictor(load_json(json, load));
  const Tensor data = tensor_of<float>({1, 2}, {1, 3}), gamma = tensor_of<float>({2}, {1, 1});
  const Tensor beta = tensor_of<float>({2}, {5, 7});
  const auto outputs = predictor.predict({{"data", data.view()}, {"a", gamma.view()}, {"b", beta.view()}});
  EXPECT_NEAR(outputs.begin()->second.data<float>()[0], 4, 1e-4);
  EXPECT_NEAR(outputs.begin()->second.data<float>()[1], 8, 1e-4);
}

TEST(FedInputs, AParameterMayBeFed) {
  const std::string json = one_op("FullyConnected", R"({"num_hidden": "1", "no_bias": "True"})", 2);
  test::ParamsWriter params;
  params.add("arg:a", test::dense_v2(DType::float32, {1, 2}, test::floats({1, 1})));
  const std::vector<std::byte> bytes = params.finish();
  LoadOptions load;
  load.input_names = {"a"};
  const Predictor predictor(Model::load_memory(
      Span<const char>(json), {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, load));
  const Tensor data = tensor_of<float>({1, 2}, {1, 2}), weight = tensor_of<float>({1, 2}, {10, 100});
  EXPECT_EQ(predictor.predict({data, weight})[0].data<float>()[0], 210);
  EXPECT_MXINFER_ERROR(predictor.predict({data}), ErrorCode::invalid_argument, {"1 input", "'data', 'a'"});
}

// to_tensor, then a batch of one, then the mean of each channel.
TEST(FedInputs, AnImageThatBecomesABatchOfOneHasNoBatch) {
  const std::string json = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_image_to_tensor", "name": "t", "inputs": [[0, 0, 0]]},
    {"op": "_image_normalize", "name": "n", "attrs": {"mean": "(0,)", "std": "(1,)"}, "inputs": [[1, 0, 0]]},
    {"op": "expand_dims", "name": "e", "attrs": {"axis": "0"}, "inputs": [[2, 0, 0]]},
    {"op": "Pooling", "name": "pool", "inputs": [[3, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}}],
    "arg_nodes": [0], "heads": [[4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const auto model = load_json(json);
  EXPECT_EQ(to_string(model.signature().inputs[0]), "data uint8 (-1, -1, 3) HWC image");
  EXPECT_EQ(model.signature().outputs[0].shape, (Shape{1, 3, 1, 1}));
  const Predictor predictor(model);
  const Tensor image = tensor_of<std::uint8_t>({1, 2, 3}, {0, 51, 255, 0, 51, 255});
  const auto outputs = predictor.predict({image});
  EXPECT_EQ(outputs[0].shape(), (Shape{1, 3, 1, 1}));
  EXPECT_FLOAT_EQ(outputs[0].data<float>()[1], 0.2f);
  EXPECT_MXINFER_ERROR(predictor.predict_list({image.view(), image.view()}), ErrorCode::unsupported,
                       {"no transforms"});
}

// The same of a file: each is decoded by itself, so that several may come together.
TEST(FedInputs, FilesThatBecomeBatchesOfOneMayBeSeveral) {
  const Predictor predictor(load_json(R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_cvimdecode", "name": "d", "inputs": [[0, 0, 0]]},
    {"op": "_image_to_tensor", "name": "t", "inputs": [[1, 0, 0]]},
    {"op": "expand_dims", "name": "e", "attrs": {"axis": "0"}, "inputs": [[2, 0, 0]]},
    {"op": "Pooling", "name": "pool", "inputs": [[3, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}}],
    "arg_nodes": [0], "heads": [[4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json"));
  const Tensor image = tensor_of<std::uint8_t>({1, 2, 3}, {0, 51, 255, 0, 51, 255});
  EXPECT_FLOAT_EQ(predictor.predict({image.view()})[0].data<float>()[1], 0.2f);
  const auto outputs = predictor.predict_list({image.view(), image.view()});
  EXPECT_EQ(outputs[0].shape(), (Shape{2, 3, 1, 1}));
  EXPECT_FLOAT_EQ(outputs[0].data<float>()[5], 1);
}

}  // namespace
}  // namespace mxinfer
