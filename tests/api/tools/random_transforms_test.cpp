// Models with operators that draw random numbers, and those that normalise whole numbers.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cstring>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using test::load_json;

// data uint8 (N, 4, 5, 3) -> mirrored at random -> 0..1 planes -> normalised.
std::string flipping(const std::string& before_normalize = "_image_to_tensor") {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [],
     "attrs": {"__shape__": "(0, 4, 5, 3)", "__dtype__": "3", "__layout__": "NHWC"}},
    {"op": "_image_random_flip_left_right", "name": "flip", "inputs": [[0, 0, 0]]},
    {"op": ")json" +
         before_normalize + R"json(", "name": "planes", "inputs": [[1, 0, 0]]},
    {"op": "_image_normalize", "name": "normalize", "inputs": [[2, 0, 0]],
     "attrs": {"mean": "(0.5,)", "std": "(0.25,)"}}],
    "arg_nodes": [0], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

Tensor images(std::int64_t count) {
  Tensor tensor(DType::uint8, {count, 4, 5, 3});
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 7);
  }
  return tensor;
}

Tensor predict(const LoadOptions& options, const Tensor& data) {
  return std::move(Predictor(load_json(flipping(), options)).predict({data.view()})[0]);
}

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

TEST(RandomTransformsOfModels, AreRejectedUnlessTheCallerDecides) {
  EXPECT_MXINFER_ERROR(load_json(flipping()), ErrorCode::unsupported,
                       {"'flip' (_image_random_flip_left_right)", "LoadOptions::random_transforms"});
}

TEST(RandomTransformsOfModels, IdentityLeavesImagesAsTheyAre) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::identity;
  const Tensor data = images(2), out = predict(options, data);
  ASSERT_EQ(out.shape(), (Shape{2, 3, 4, 5}));
  for (int i = 0; i < 2 * 4 * 5 * 3; ++i) {
    const int c = i % 3, pixel = i / 3 % 20, n = i / 60;
    const float expected = (static_cast<float>(data.data<std::uint8_t>()[i]) / 255.0f - 0.5f) / 0.25f;
    ASSERT_NEAR(out.data<float>()[(n * 3 + c) * 20 + pixel], expected, 1e-6f);
  }
}

TEST(RandomTransformsOfModels, ExecuteDrawsWhatTheSeedSays) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::execute;
  const Tensor data = images(64);
  const Tensor first = predict(options, data);
  EXPECT_TRUE(same(first, predict(options, data)));
  options.seed = 1;
  EXPECT_FALSE(same(first, predict(options, data)));
  const Predictor predictor(load_json(flipping(), options));
  EXPECT_FALSE(same(predictor.predict({data.view()})[0], predictor.predict({data.view()})[0]));
}

TEST(RandomTransformsOfModels, ImagesOfAListDrawForThemselves) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::execute;
  const Predictor predictor(load_json(flipping(), options));
  const Tensor one = images(1);
  const std::vector<TensorView> list(64, one.view());
  const Tensor out = std::move(predictor.predict_list(Span<const TensorView>(list))[0]);
  int as_first = 0;
  for (int n = 0; n < 64; ++n) {
    as_first += std::memcmp(out.data<float>() + n * 60, out.data<float>(), 60 * sizeof(float)) == 0;
  }
  EXPECT_GT(as_first, 16);
  EXPECT_LT(as_first, 48);
}

// SSD's augmentation, as docs/how-to/training-transforms.md has it.
std::string ssd_augmentation() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [],
     "attrs": {"__shape__": "(0, 0, 0, 3)", "__dtype__": "3", "__layout__": "NHWC"}},
    {"op": "null", "name": "boxes", "inputs": [], "attrs": {"__shape__": "(0, 0, 5)"}},
    {"op": "_mxinfer_random_crop_boxes", "name": "crop", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"size": "(30, 30)", "interp": "10", "max_ratio": "4", "fill": "(123, 116, 103)"}},
    {"op": "_mxinfer_random_flip_boxes", "name": "flip", "inputs": [[2, 0, 0], [2, 1, 0]], "attrs": {"px": "0.5"}}],
    "arg_nodes": [0, 1], "heads": [[3, 0, 0], [3, 1, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

Tensor boxes_of(std::int64_t count) {
  Tensor boxes(DType::float32, {count, 1, 5});
  for (std::int64_t n = 0; n < count; ++n) {
    const float row[] = {1, 1, 4, 3, 6};
    std::copy_n(row, 5, boxes.data<float>() + n * 5);
  }
  return boxes;
}

TEST(RandomTransformsOfModels, BoxesAreTransformedAlongAsTheCallerDecides) {
  EXPECT_MXINFER_ERROR(load_json(ssd_augmentation()), ErrorCode::unsupported,
                       {"2 operators", "'crop'", "'flip'"});
  LoadOptions options;
  options.random_transforms = RandomTransforms::identity;
  const Tensor data = images(16), boxes = boxes_of(16);
  const auto fixed = Predictor(load_json(ssd_augmentation(), options)).predict({data.view(), boxes.view()});
  ASSERT_EQ(fixed[0].shape(), (Shape{16, 30, 30, 3}));
  ASSERT_EQ(fixed[1].shape(), (Shape{16, 1, 5}));
  EXPECT_FLOAT_EQ(fixed[1].data<float>()[0], 6);
  EXPECT_FLOAT_EQ(fixed[1].data<float>()[4], 6);

  options.random_transforms = RandomTransforms::execute;
  const auto run = [&](std::uint64_t seed) {
    options.seed = seed;
    return Predictor(load_json(ssd_augmentation(), options)).predict({data.view(), boxes.view()});
  };
  const auto first = run(1), again = run(1), other = run(2);
  for (const std::size_t o : {0u, 1u}) {
    EXPECT_TRUE(same(first[o], again[o]));
    EXPECT_FALSE(same(first[o], other[o]));
    EXPECT_FALSE(same(first[o], fixed[o]));
  }
}

TEST(NormalizedWholeNumbers, AreWarnedOf) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::identity;
  EXPECT_TRUE(load_json(flipping(), options).warnings().empty());
  const auto model = load_json(flipping("BlockGrad"), options);
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].find("'normalize' (_image_normalize) normalises uint8"), std::string::npos)
      << model.warnings()[0];
}

}  // namespace
}  // namespace mxinfer
