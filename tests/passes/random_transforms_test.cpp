#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cstring>

#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using test::GraphBuilder;
using Names = std::vector<std::string>;

Tensor image(const Shape& shape) {
  Tensor tensor(DType::uint8, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 + i / 100);
  }
  return tensor;
}

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

GraphBuilder flip_and_crop() {
  GraphBuilder b;
  auto x = b.op("_image_random_flip_left_right", {}, {b.input("data")}, "flip");
  x = b.op("_image_random_brightness", {{"min_factor", "0.5"}, {"max_factor", "1.5"}}, {x}, "light");
  b.head(b.op("_image_random_crop", {{"width", "6"}, {"height", "5"}}, {x}, "crop"));
  return b;
}

TEST(RandomTransforms, RejectNamesEveryNodeAndWhatToSet) {
  GraphBuilder b = flip_and_crop();
  try {
    refuse_random_transforms(b.graph());
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
    const std::string message = e.what();
    for (const char* word : {"'flip' (_image_random_flip_left_right)", "'light'", "'crop'", "3 operators",
                             "LoadOptions::random_transforms"}) {
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
}

TEST(RandomTransforms, NothingToRejectWithoutThem) {
  GraphBuilder b;
  b.head(b.op("_image_to_tensor", {}, {b.input("data")}));
  EXPECT_NO_THROW(refuse_random_transforms(b.graph()));
}

TEST(RandomTransforms, IdentityPassesImagesOnAndCropsTheCentre) {
  GraphBuilder b = flip_and_crop();
  skip_random_transforms(b.graph());
  graph::verify(b.graph());
  EXPECT_EQ(test::op_names(b.graph()), (Names{"_copy", "_copy", "_mxinfer_center_crop"}));
  const Tensor data = image({9, 10, 3});
  const auto out = test::run_graph(b.graph(), {&data});
  EXPECT_TRUE(same(
      out[0],
      test::run_op("_image_crop", {{"x", "2"}, {"y", "2"}, {"width", "6"}, {"height", "5"}}, {&data})[0]));
}

GraphBuilder with_boxes_and_masks() {
  GraphBuilder b;
  const auto data = b.input("data"), boxes = b.input("boxes"), mask = b.input("mask");
  auto x = b.op("_mxinfer_random_crop_boxes", {{"size", "(6, 5)"}, {"interp", "10"}}, {data, boxes}, "crop");
  x = b.op("_mxinfer_random_flip_boxes", {{"px", "1"}}, {x, {x.node, 1}}, "flip");
  b.head(x);
  b.head({x.node, 1});
  b.head(b.op("_mxinfer_random_crop_mask", {{"crop_size", "4"}, {"base_size", "8"}}, {data, mask}, "part"));
  return b;
}

TEST(RandomTransforms, ThoseOfBoxesAndMasksAreRejectedLikeOthers) {
  GraphBuilder b = with_boxes_and_masks();
  try {
    refuse_random_transforms(b.graph());
    FAIL() << "no error";
  } catch (const Error& e) {
    for (const char* word : {"3 operators", "'crop'", "'flip'", "'part'"}) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  }
}

TEST(RandomTransforms, IdentityResizesWithBoxesAndTakesTheCentreOfMasks) {
  GraphBuilder b = with_boxes_and_masks();
  skip_random_transforms(b.graph());
  graph::verify(b.graph());
  EXPECT_EQ(test::op_names(b.graph()),
            (Names{"_mxinfer_resize_boxes", "_mxinfer_flip_boxes", "_mxinfer_center_crop_mask"}));
  const Tensor data = image({10, 12, 3}), boxes = test::tensor_of<float>({1, 4}, {2, 4, 6, 8});
  const Tensor mask(DType::uint8, {10, 12});
  const auto out = test::run_graph(b.graph(), {&data, &boxes, &mask});
  EXPECT_EQ(out[0].shape(), (Shape{5, 6, 3}));
  EXPECT_TRUE(same(out[1], test::tensor_of<float>({1, 4}, {1, 2, 3, 4})));
  EXPECT_EQ(out[2].shape(), (Shape{4, 4, 3}));
}

TEST(RandomTransforms, ExecuteIsReproducible) {
  const Tensor data = image({4, 9, 10, 3});
  const auto run = [&](std::uint64_t seed, int threads) {
    GraphBuilder b = flip_and_crop();
    seed_random_transforms(b.graph(), seed);
    test::RunGraphOptions options;
    options.threads = threads;
    return std::move(test::run_graph(b.graph(), {&data}, options)[0]);
  };
  const Tensor first = run(1, 1);
  EXPECT_EQ(first.shape(), (Shape{4, 5, 6, 3}));
  EXPECT_TRUE(same(first, run(1, 1)));
  EXPECT_TRUE(same(first, run(1, 2)));
  EXPECT_FALSE(same(first, run(2, 1)));
}

TEST(WrappingNormalization, IsFoundBeforeToTensorOnly) {
  GraphBuilder b;
  const auto data = b.input("data");
  const auto resized = b.op("_image_resize", {{"size", "4"}}, {data});
  b.head(b.op("_image_normalize", {}, {b.op("transpose", {{"axes", "(2, 0, 1)"}}, {resized})}, "wrong"));
  b.head(b.op("_image_normalize", {}, {b.op("_image_to_tensor", {}, {resized})}, "right"));
  std::vector<DataDesc> inputs = {{"data", {-1, -1, 3}, DType::uint8}};
  const auto found = find_wrapping_normalization(b.graph(), inputs);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("'wrong'"), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("uint8"), std::string::npos) << found[0];
  inputs[0].dtype = DType::float32;
  EXPECT_TRUE(find_wrapping_normalization(b.graph(), inputs).empty());
}

}  // namespace
}  // namespace mxinfer::passes
