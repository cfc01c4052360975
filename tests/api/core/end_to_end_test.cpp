// Models with transforms: the boundaries, the bare network, and lists of items. The operators here are
// ordinary ones, so that what is tested is the stages alone.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::load_json;
using test::tensor_of;

// data (N, H, W, 3) -> its upper left 2 x 2 as (N, 3, 2, 2) |batchify| the means of the channels |no-op|
// * 10.
std::string with_transforms(const std::string& connector = "batchify") {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 0, 0, 3)", "__layout__": "NHWC"}, "inputs": []},
    {"op": "slice", "name": "crop", "attrs": {"begin": "(None, 0, 0)", "end": "(None, 2, 2)"},
     "inputs": [[0, 0, 0]]},
    {"op": "transpose", "name": "turn", "attrs": {"axes": "(0, 3, 1, 2)"}, "inputs": [[1, 0, 0]]},
    {"op": "identity", "name": "boundary", "inputs": [[2, 0, 0]], "attrs": {"__mxinfer_connector__": ")json" +
         connector + R"json(", "__mxinfer_index__": "0", "__mxinfer_name__": "pixels"}},
    {"op": "Pooling", "name": "pool", "inputs": [[3, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
    {"op": "Flatten", "name": "flat", "inputs": [[4, 0, 0]]},
    {"op": "identity", "name": "end", "inputs": [[5, 0, 0]],
     "attrs": {"__mxinfer_connector__": "no_op", "__mxinfer_index__": "0"}},
    {"op": "_mul_scalar", "name": "ten", "inputs": [[6, 0, 0]], "attrs": {"scalar": "10"}}],
    "arg_nodes": [0], "heads": [[7, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

// An image whose upper left corner has the value of its channel plus `offset`.
Tensor image_of(std::int64_t height, std::int64_t width, float offset) {
  Tensor tensor(DType::float32, {height, width, 3});
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.data<float>()[i] = offset + static_cast<float>(i % 3);
    if (i / 3 % width > 1 || i / 3 / width > 1) tensor.data<float>()[i] = 1000.0f;
  }
  return tensor;
}

std::vector<float> values(const Tensor& tensor) {
  const auto span = tensor.span<float>();
  return {span.begin(), span.end()};
}

TEST(EndToEnd, RunsWholeOnBatchesAndOnOneSampleWithoutABatch) {
  const Predictor predictor(load_json(with_transforms()));
  Tensor one = image_of(3, 4, 1);
  EXPECT_EQ(values(predictor.predict({one.view()})[0]), (std::vector<float>{10, 20, 30}));
  one.reshape({1, 3, 4, 3});
  EXPECT_EQ(values(predictor.predict({one.view()})[0]), (std::vector<float>{10, 20, 30}));
}

TEST(EndToEnd, WithoutTransformsItIsTheBareNetwork) {
  LoadOptions options;
  options.load_transforms = false;
  const Predictor predictor(load_json(with_transforms(), options));
  const Signature& signature = predictor.model().signature();
  ASSERT_EQ(signature.inputs.size(), 1u);
  EXPECT_EQ(signature.inputs[0].name, "pixels");
  EXPECT_EQ(signature.outputs[0].name, "flat_output");
  const Tensor batch = tensor_of<float>({1, 3, 1, 2}, {1, 3, 2, 4, 5, 7});
  EXPECT_EQ(values(predictor.predict({batch.view()})[0]), (std::vector<float>{2, 3, 6}));
}

TEST(EndToEnd, ListsOfDifferentSizesKeepTheirOrder) {
  for (int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    const Predictor predictor(load_json(with_transforms()), options);
    std::vector<Tensor> images;
    for (int i = 0; i < 9; ++i) images.push_back(image_of(2 + i % 4, 3 + i % 5, static_cast<float>(i)));
    std::vector<TensorView> views(images.begin(), images.end());
    const Tensor scores = std::move(predictor.predict_list(Span<const TensorView>(views))[0]);
    ASSERT_EQ(scores.shape(), (Shape{9, 3}));
    for (int i = 0; i < 9; ++i) {
      for (int c = 0; c < 3; ++c) {
        EXPECT_FLOAT_EQ(scores.data<float>()[i * 3 + c], 10.0f * static_cast<float>(i + c));
      }
    }
  }
}

TEST(EndToEnd, AnItemThatIsWrongIsNamedAndCostsTheOthersNothing) {
  const Predictor predictor(load_json(with_transforms()));
  const Tensor good = image_of(4, 4, 1), small = image_of(1, 4, 1), other = image_of(2, 5, 2);
  EXPECT_MXINFER_ERROR(predictor.predict_list({good.view(), small.view()}), ErrorCode::invalid_argument,
                       {"item 1", "'data'"});

  const std::vector<TensorView> items = {small.view(), good.view(), other.view()};
  std::vector<ItemError> errors;
  const auto outputs = predictor.predict_list(Span<const std::vector<TensorView>>(&items, 1), &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 0u);
  ASSERT_EQ(outputs[0].shape(), (Shape{3, 3}));
  EXPECT_TRUE(std::isnan(outputs[0].data<float>()[0]));
  EXPECT_EQ(outputs[0].data<float>()[3], 10.0f);
  EXPECT_EQ(outputs[0].data<float>()[6], 20.0f);

  const Tensor bytes(DType::uint8, {4, 4, 3});
  const std::vector<TensorView> integers_only = {bytes.view()};
  errors.clear();
  EXPECT_TRUE(
      predictor.predict_list(Span<const std::vector<TensorView>>(&integers_only, 1), &errors).empty());
  EXPECT_EQ(errors.size(), 1u);
}

TEST(EndToEnd, WhatListsCannotBeIsRefused) {
  const Predictor predictor(load_json(with_transforms()));
  const Tensor good = image_of(4, 4, 1);
  const Tensor batch(DType::float32, {2, 4, 4, 3});
  const Tensor integers(DType::uint8, {4, 4, 3});
  EXPECT_MXINFER_ERROR(predictor.predict_list(TensorViews()), ErrorCode::invalid_argument,
                       {"'data'", "0 items"});
  EXPECT_MXINFER_ERROR(predictor.predict_list({good.view(), batch.view()}), ErrorCode::invalid_argument,
                       {"item 1", "batch of 2"});
  EXPECT_MXINFER_ERROR(predictor.predict_list({integers.view()}), ErrorCode::invalid_argument,
                       {"uint8", "float32"});
  const Predictor bare(load_json(test::channel_means_json()));
  EXPECT_MXINFER_ERROR(bare.predict_list({good.view()}), ErrorCode::unsupported, {"no transforms", "fuse"});
}

TEST(EndToEnd, ConnectorsThatAreNotKnownAreRefused) {
  EXPECT_MXINFER_ERROR(load_json(with_transforms("glue")), ErrorCode::unsupported,
                       {"'boundary'", "glue", "batchify"});
}

// Two inputs, the first with transforms (twice: for both of the network's inputs), the second without.
TEST(EndToEnd, SeveralInputs) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "left", "attrs": {"__shape__": "(0, 0)"}, "inputs": []},
    {"op": "null", "name": "right", "attrs": {"__shape__": "(0, 1)"}, "inputs": []},
    {"op": "mean", "name": "mean", "attrs": {"axis": "1", "keepdims": "True"}, "inputs": [[0, 0, 0]]},
    {"op": "identity", "name": "s0", "inputs": [[2, 0, 0]],
     "attrs": {"__mxinfer_connector__": "batchify", "__mxinfer_index__": "1", "__mxinfer_name__": "b"}},
    {"op": "max", "name": "max", "attrs": {"axis": "1", "keepdims": "True"}, "inputs": [[0, 0, 0]]},
    {"op": "identity", "name": "s1", "inputs": [[4, 0, 0]],
     "attrs": {"__mxinfer_connector__": "batchify", "__mxinfer_index__": "0", "__mxinfer_name__": "a"}},
    {"op": "Concat", "name": "out", "attrs": {"num_args": "3", "dim": "1"},
     "inputs": [[3, 0, 0], [5, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[6, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Predictor predictor(load_json(json));
  const Tensor two = tensor_of<float>({2}, {1, 3}), three = tensor_of<float>({3}, {1, 2, 9});
  const Tensor x = tensor_of<float>({1}, {7}), y = tensor_of<float>({1}, {8});
  const std::vector<TensorView> lists[] = {{two.view(), three.view()}, {x.view(), y.view()}};
  const auto outputs = predictor.predict_list(Span<const std::vector<TensorView>>(lists));
  EXPECT_EQ(values(outputs[0]), (std::vector<float>{2, 3, 7, 4, 9, 8}));

  LoadOptions bare;
  bare.load_transforms = false;
  const auto network = load_json(json, bare);
  ASSERT_EQ(network.signature().inputs.size(), 3u);
  EXPECT_EQ(network.signature().inputs[0].name, "a");
  EXPECT_EQ(network.signature().inputs[1].name, "b");
  EXPECT_EQ(network.signature().inputs[2].name, "right");
}

}  // namespace
}  // namespace mxinfer
