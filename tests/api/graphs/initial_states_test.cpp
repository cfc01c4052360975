// The states that a recurrent network begins with: zeros if they are not given.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/files/params_writer.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

Model load(const std::string& json, test::ParamsWriter& params) {
  const std::vector<std::byte> bytes = params.finish();
  return Model::load_memory(Span<const char>(json),
                            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// One step of a cell written by hand: h = (x W + init_h U) * init_c' + init_c, of 2 units.
Model cell(DType dtype = DType::float32) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
    {"op": "null", "name": "l0_init_h", "inputs": []}, {"op": "null", "name": "u", "inputs": []},
    {"op": "null", "name": "l0_init_c", "inputs": []},
    {"op": "FullyConnected", "name": "i2h", "attrs": {"num_hidden": "2", "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "FullyConnected", "name": "h2h", "attrs": {"num_hidden": "2", "no_bias": "True"}, "inputs": [[2, 0, 0], [3, 0, 0]]},
    {"op": "elemwise_add", "name": "gates", "inputs": [[5, 0, 0], [6, 0, 0]]},
    {"op": "elemwise_add", "name": "out", "inputs": [[7, 0, 0], [4, 0, 0]]}],
    "arg_nodes": [0, 1, 2, 3, 4], "heads": [[8, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  test::ParamsWriter params;
  const auto values = [dtype](const std::vector<float>& from) {
    if (dtype == DType::float32) return test::floats(from);
    test::ByteWriter bytes;
    for (const float value : from) bytes.put(static_cast<double>(value));
    return bytes.bytes();
  };
  params.add("arg:w", test::dense_v2(dtype, {2, 3}, values({1, 0, 0, 0, 1, 0})));
  params.add("arg:u", test::dense_v2(dtype, {2, 2}, values({10, 0, 0, 10})));
  return load(json, params);
}

TEST(InitialStates, AreZerosWhereTheyAreNotGiven) {
  const auto model = cell();
  EXPECT_EQ(to_string(model.signature().inputs[0]), "data float32 (-1, 3)");
  EXPECT_EQ(to_string(model.signature().inputs[1]), "l0_init_h float32 (-1, 2) (zeros when not given)");
  EXPECT_EQ(to_string(model.signature().inputs[2]), "l0_init_c float32 (-1, 2) (zeros when not given)");
  const Predictor predictor(model);
  const Tensor data = test::tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor zeros(DType::float32, {2, 2}), ones = test::tensor_of<float>({2, 2}, {1, 1, 1, 1});
  const auto first = [](const std::vector<Tensor>& outputs) {
    const auto values = outputs[0].span<float>();
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> expected{1, 2, 4, 5};
  EXPECT_EQ(first(predictor.predict({data, zeros, zeros})), expected);
  EXPECT_EQ(first(predictor.predict({data})), expected);
  EXPECT_EQ(first(predictor.predict({data.view(), TensorView(), TensorView()})), expected);
  EXPECT_EQ(predictor.predict_flat<float>({std::vector<float>{1, 2, 3, 4, 5, 6}})[0], expected);
  EXPECT_EQ(predictor.predict({{"data", data.view()}}).at("out_output").data<float>()[3], 5);
  std::vector<Tensor> outputs;
  outputs.emplace_back(DType::float32, Shape{2, 2});
  const TensorView only = data.view();
  predictor.predict_into({only}, outputs);
  EXPECT_EQ(first(outputs), expected);
  // Those that are given are used, for as many samples as there are now.
  EXPECT_EQ(first(predictor.predict({data.view(), ones.view(), TensorView()})),
            (std::vector<float>{11, 12, 14, 15}));
  EXPECT_EQ(predictor.predict({{"data", data.view()}, {"l0_init_c", ones.view()}})
                .at("out_output")
                .data<float>()[0],
            2);
  EXPECT_EQ(predictor.predict({test::tensor_of<float>({1, 3}, {7, 8, 9})})[0].shape(), (Shape{1, 2}));
}

TEST(InitialStates, CountsAndNamesThatAreWrong) {
  const Predictor predictor(cell());
  const Tensor data(DType::float32, {2, 3}), zeros(DType::float32, {2, 2}), three(DType::float32, {3, 2});
  EXPECT_MXINFER_ERROR(predictor.predict({data, zeros}), ErrorCode::invalid_argument,
                       {"2 inputs were given", "3 are expected", "or 1", "zeros if not given"});
  EXPECT_MXINFER_ERROR(predictor.predict({{"l0_init_h", zeros.view()}}), ErrorCode::invalid_argument,
                       {"'data' was not given"});
  EXPECT_MXINFER_ERROR(predictor.predict({data.view(), three.view(), TensorView()}),
                       ErrorCode::invalid_argument, {"elemwise_add", "(3, 2)"});
  EXPECT_MXINFER_ERROR(predictor.predict({TensorView(), zeros.view(), zeros.view()}),
                       ErrorCode::invalid_argument, {"'data'"});
}

TEST(InitialStates, HaveTheParametersDtype) {
  const Predictor predictor(cell(DType::float64));
  const Tensor data = test::tensor_of<double>({1, 3}, {1, 2, 3});
  EXPECT_EQ(predictor.predict({data})[0].data<double>()[1], 2);
}

// A fused LSTM of 2 units over (time, batch, 3), its states as inputs of names that say nothing.
TEST(InitialStates, OfAnRnnOperatorAreKnownByTheirPlace) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "rnn_parameters", "inputs": []},
    {"op": "null", "name": "data1", "inputs": []}, {"op": "null", "name": "data2", "inputs": []},
    {"op": "RNN", "name": "rnn", "attrs": {"state_size": "2", "num_layers": "1", "mode": "lstm"},
     "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]}],
    "arg_nodes": [0, 1, 2, 3], "heads": [[4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  test::ParamsWriter params;
  std::vector<float> weights;
  for (int i = 0; i < 4 * 2 * (3 + 2 + 2); ++i) weights.push_back(0.01f * static_cast<float>(i % 17));
  params.add("arg:rnn_parameters", test::dense_v2(DType::float32, {static_cast<std::int64_t>(weights.size())},
                                                  test::floats(weights)));
  const Predictor predictor(load(json, params));
  const DataDesc& state = predictor.model().signature().inputs[1];
  EXPECT_EQ(to_string(state), "data1 float32 (1, -1, 2) LNC (zeros when not given)");
  const Tensor x = test::random_tensor({4, 5, 3}, 1);
  const Tensor zeros(DType::float32, {1, 5, 2}), ones = test::random_tensor({1, 5, 2}, 2);
  const Tensor given = std::move(predictor.predict({x, zeros, zeros})[0]);
  EXPECT_EQ(test::relative_difference(predictor.predict({x})[0], given), 0);
  EXPECT_GT(test::relative_difference(predictor.predict({x, ones, zeros})[0], given), 0.01);
}

TEST(InitialStates, OfRealModels) {
  const char* shared = std::getenv("MXINFER_SHARED_DIR");
  if (shared == nullptr) GTEST_SKIP() << "MXINFER_SHARED_DIR is not set";
  for (const std::string name : {"ocr_lstm_869_infer", "sentiment_lstm"}) {
    SCOPED_TRACE(name);
    const std::string folder = std::string(shared) + "/models/" + name;
    const Predictor predictor(folder);
    for (const char* file : {"/golden.npz", "/golden_random.npz"}) {
      const test::Golden golden = test::read_golden(folder + file);
      std::map<std::string, TensorView> all, data;
      std::vector<Tensor> zeros;
      for (const auto& [input, tensor] : golden.inputs) {
        if (input == "data") data.emplace(input, tensor.view());
        zeros.emplace_back(tensor.dtype(), tensor.shape());
        all.emplace(input, input == "data" ? tensor.view() : zeros.back().view());
      }
      const auto given = predictor.predict(all), left_out = predictor.predict(data);
      ASSERT_EQ(given.size(), left_out.size());
      for (const auto& [output, tensor] : given)
        EXPECT_EQ(test::relative_difference(left_out.at(output), tensor), 0) << output;
    }
  }
}

}  // namespace
}  // namespace mxinfer
