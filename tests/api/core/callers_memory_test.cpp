// Every way to give inputs has a twin that writes into memory of the caller.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::load_json;
using test::tensor_of;

TEST(CallersMemory, ByName) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const Tensor a = tensor_of<float>({1, 3}, {1, 2, 3}), b = tensor_of<float>({1, 3}, {10, 20, 30});
  std::vector<float> sum(3), twice(3);
  const std::map<std::string, TensorView> inputs = {{"a", a}, {"b", b}};
  std::map<std::string, MutableTensorView> outputs = {{"sum_output", {sum.data(), {1, 3}}}};
  EXPECT_MXINFER_ERROR(predictor.predict_into(inputs, outputs), ErrorCode::invalid_argument,
                       {"'double_output'", "no memory"});
  outputs["double_output"] = {twice.data(), {1, 3}};
  predictor.predict_into(inputs, outputs);
  EXPECT_EQ(sum, (std::vector<float>{11, 22, 33}));
  EXPECT_EQ(twice, (std::vector<float>{2, 4, 6}));
  outputs["other"] = outputs["sum_output"];
  EXPECT_MXINFER_ERROR(predictor.predict_into(inputs, outputs), ErrorCode::not_found,
                       {"'other'", "'sum_output', 'double_output'"});
}

TEST(CallersMemory, FlatArrays) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const std::vector<std::vector<float>> inputs = {{1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1}};
  EXPECT_EQ(predictor.predict_flat<float>(inputs)[0], (std::vector<float>{2, 3, 4, 5, 6, 7}));
  std::vector<float> sum(6), twice(6), few(5);
  predictor.predict_flat_into<float>(inputs, {sum, twice});
  EXPECT_EQ(sum, (std::vector<float>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(twice[5], 12);
  EXPECT_MXINFER_ERROR(predictor.predict_flat_into<float>(inputs, {sum, few}), ErrorCode::invalid_argument,
                       {"'double_output'", "5 elements", "(2, 3)", "6"});
  std::vector<std::int32_t> whole(6);
  EXPECT_MXINFER_ERROR((predictor.predict_flat_into<float, std::int32_t>(inputs, {whole, whole})),
                       ErrorCode::invalid_argument, {"'sum_output'", "int32", "float32"});
  EXPECT_MXINFER_ERROR(predictor.predict_flat_into<float>(inputs, {sum}), ErrorCode::invalid_argument,
                       {"1 output was given", "2"});
}

TEST(CallersMemory, WithoutMemoryIsRefused) {
  const Predictor predictor(load_json(test::two_inputs_json()));
  const Tensor a = tensor_of<float>({1, 3}, {1, 2, 3});
  const MutableTensorView nowhere(DType::float32, {1, 3}, nullptr);
  EXPECT_MXINFER_ERROR(predictor.predict_into({a, a}, {nowhere, nowhere}), ErrorCode::invalid_argument,
                       {"'sum_output'", "null"});
}

TEST(CallersMemory, Lists) {
  const Predictor predictor(
      load_json(test::image_means_json("_image_resize", R"json("size": "(6, 4)", "interp": "1")json")));
  const Tensor small(DType::uint8, {3, 4, 3}), large(DType::uint8, {30, 40, 3});
  Tensor wrong(DType::uint8, {3, 4, 1});
  std::vector<float> means(6, 7.0f);
  const MutableTensorView rows(means.data(), {2, 3});
  predictor.predict_list_into({small, large}, {rows});
  EXPECT_EQ(means, std::vector<float>(6, 0.0f));
  std::vector<ItemError> errors;
  predictor.predict_list_into({small, wrong}, {rows}, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_EQ(means[2], 0);
  EXPECT_TRUE(std::isnan(means[3]));
  EXPECT_MXINFER_ERROR(predictor.predict_list_into({small}, {rows}), ErrorCode::invalid_argument,
                       {"(2, 3)", "(1, 3)"});
}

TEST(CallersMemory, OfOutputsWhoseSizeDependsOnValues) {
  const Predictor predictor(load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
    {"op": "null", "name": "mask", "attrs": {"__shape__": "(0,)"}, "inputs": []},
    {"op": "_contrib_boolean_mask", "name": "kept", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json"));
  const Tensor data = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6}), mask = tensor_of<float>({3}, {0, 1, 1});
  std::vector<float> kept(4);
  predictor.predict_into({data, mask}, {MutableTensorView(kept.data(), {2, 2})});
  EXPECT_EQ(kept, (std::vector<float>{3, 4, 5, 6}));
  EXPECT_MXINFER_ERROR(predictor.predict_into({data, mask}, {MutableTensorView(kept.data(), {1, 2})}),
                       ErrorCode::invalid_argument, {"(1, 2)", "(2, 2)"});
}

}  // namespace
}  // namespace mxinfer
