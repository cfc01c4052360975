#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

Model free_size() {
  LoadOptions load;
  load.inputs = {{"data", {-1, 3, -1, -1}}};
  return test::load_json(test::channel_means_json(), load);
}

ImageOptions letterboxed() {
  ImageOptions options;
  options.preprocess.resize = ResizePolicy::letterbox;
  options.preprocess.scale = 1.0f / 255;
  options.height = 20;
  options.width = 40;
  return options;
}

TEST(PrepareImages, GivesTheBitsThatAnImageClassifierFeeds) {
  const Model model = free_size();
  const ImageOptions options = letterboxed();
  const std::vector<Image> images = {read_image(MXINFER_SOURCE_DIR "/tests/golden/image/420.jpg"),
                                     read_image(MXINFER_SOURCE_DIR "/tests/golden/image/444.jpg")};
  const PreparedImages prepared = prepare_images(images, options.preprocess, image_input(model, options));
  const Tensor fed = ImageClassifier(model, options).preprocess(images);
  ASSERT_EQ(prepared.tensor.shape(), (Shape{2, 3, 20, 40}));
  ASSERT_EQ(prepared.tensor.shape(), fed.shape());
  EXPECT_EQ(std::memcmp(prepared.tensor.raw(), fed.raw(), fed.bytes()), 0);
}

TEST(PrepareImages, LeadsBoxesBackIntoTheImage) {
  const std::vector<std::uint8_t> pixels(100 * 100 * 3);
  const std::vector<Image> images = {Image(100, 100, 3, pixels)};
  const ImageOptions options = letterboxed();
  const auto prepared = prepare_images(images, options.preprocess, image_input(free_size(), options));
  ASSERT_EQ(prepared.maps.size(), 1u);
  // 20 x 20 in the middle of 40 x 20.
  const Box box = prepared.maps[0].to_source({10, 0, 20, 10});
  EXPECT_FLOAT_EQ(box.left, 0);
  EXPECT_FLOAT_EQ(box.top, 0);
  EXPECT_FLOAT_EQ(box.right, 50);
  EXPECT_FLOAT_EQ(box.bottom, 50);
  EXPECT_FLOAT_EQ(prepared.maps[0].to_source({0, 0, 99, 10}).right, 100);
}

TEST(PrepareImages, WhatCannotBeIsRefused) {
  const ImageInput input{3, 4, 4, false, DType::float32};
  EXPECT_MXINFER_ERROR(prepare_images({}, {}, ImageInput{}), ErrorCode::invalid_argument, {"0 x 0"});
  EXPECT_MXINFER_ERROR(prepare_images({}, {}, (ImageInput{2, 4, 4})), ErrorCode::invalid_argument,
                       {"2 channels"});
  const Image empty;
  EXPECT_MXINFER_ERROR(prepare_images({&empty, 1}, {}, input), ErrorCode::invalid_argument,
                       {"image 0", "empty"});
  EXPECT_EQ(prepare_images({}, {}, input).tensor.shape(), (Shape{0, 3, 4, 4}));
  EXPECT_MXINFER_ERROR(image_input(free_size()), ErrorCode::invalid_argument, {"height"});
  EXPECT_MXINFER_ERROR(image_input(Model::load(MXINFER_SOURCE_DIR "/models/digits.mxz")),
                       ErrorCode::invalid_argument, {"preprocesses its images itself"});
}

}  // namespace
}  // namespace mxinfer
