// Preprocess as transforms: which operators it becomes, and how images of many sizes run through them.
#include "vision/images/preprocessor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "image/letterbox.h"
#include "support/expect_error.h"
#include "vision/images/preprocessing.h"

namespace mxinfer::api {
namespace {

using Names = std::vector<std::string>;

Names ops_of(const Preprocess& options, const ImageInput& input) {
  Names names;
  for (const Transform& transform : transforms_of(options, input)) names.push_back(transform.op);
  return names;
}

Image filled(int width, int height, int channels, std::uint8_t value) {
  return {width, height, channels,
          std::vector<std::uint8_t>(
              static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels), value)};
}

struct Runner {
  explicit Runner(const Preprocess& options, const ImageInput& input, int threads = 1)
      : preprocessor(options, input, {kernels::best_target(), threads},
                     std::make_shared<runtime::MemoryBudget>(runtime::MemoryLimits{2, 2})),
        arena(threads) {}
  Tensor batch_of(Span<const Image> images, std::vector<ItemError>* errors = nullptr) {
    runtime::BatchRunner runner(arena);
    return preprocessor.batch_of(images, runner, errors);
  }
  Preprocessor preprocessor;
  ThreadArena arena;
};

TEST(Preprocessing, IsAShortListOfOperators) {
  Preprocess options;
  ImageInput input{3, 8, 6, false, DType::uint8};
  EXPECT_EQ(ops_of(options, input), (Names{"_image_resize", "_mxinfer_convert_color", "transpose"}));
  input.channels_last = true;
  EXPECT_EQ(ops_of(options, input), (Names{"_image_resize", "_mxinfer_convert_color"}));
  input.dtype = DType::float32;
  options.resize = ResizePolicy::letterbox;
  options.scale = 0.5f;
  EXPECT_EQ(ops_of(options, input),
            (Names{"_mxinfer_letterbox", "_mxinfer_convert_color", "Cast", "_mul_scalar"}));
  const Preprocess imagenet = Preprocess::preset("imagenet");
  EXPECT_EQ(ops_of(imagenet, {}),
            (Names{"_mxinfer_resize_short", "_mxinfer_center_crop", "_mxinfer_convert_color", "Cast",
                   "_mul_scalar", "transpose", "_image_normalize", "transpose", "transpose"}));
}

TEST(Preprocessing, LetterboxesAreRoundedToTheNearestPixel) {
  const Region region = image::letterbox_region({30, 41}, {20, 20});
  EXPECT_EQ(region.width, 15);  // 14.63
  EXPECT_EQ(region.height, 20);
  EXPECT_EQ(region.x, 2);
  EXPECT_EQ(region.y, 0);
  EXPECT_EQ(image::letterbox_region({400, 1}, {20, 20}).height, 1);
}

TEST(Preprocessor, TakesImagesOfAnySizeAndKind) {
  Preprocess options;
  options.scale = 2;
  options.mean = {1, 2, 3};
  for (const int threads : {1, 3}) {
    Runner runner(options, {3, 4, 5, false, DType::float32}, threads);
    std::vector<Image> images;
    for (int i = 0; i < 20; ++i)
      images.push_back(filled(1 + i, 21 - i, i % 3 == 0 ? 1 : 3, static_cast<std::uint8_t>(i)));
    const Tensor batch = runner.batch_of(images);
    ASSERT_EQ(batch.shape(), (Shape{20, 3, 4, 5}));
    for (int i = 0; i < 20 * 3 * 20; ++i)
      ASSERT_EQ(batch.data<float>()[i], static_cast<float>(i / 60 * 2 - (i / 20 % 3 + 1))) << i;
  }
}

TEST(Preprocessor, SamplesOfWrongImagesAreZero) {
  Runner runner({}, {1, 2, 2, true, DType::uint8});
  const std::vector<Image> images = {filled(3, 3, 3, 9), Image(), filled(5, 1, 1, 8)};
  std::vector<ItemError> errors;
  const Tensor batch = runner.batch_of(images, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  const std::uint8_t expected[] = {9, 9, 9, 9, 0, 0, 0, 0, 8, 8, 8, 8};
  EXPECT_EQ(std::memcmp(batch.raw(), expected, sizeof(expected)), 0);
  EXPECT_MXINFER_ERROR(runner.batch_of(images), ErrorCode::invalid_argument, {"image 1", "empty", "0 x 0"});
}

TEST(Preprocessor, SaysWhichImageCannotBeFitted) {
  Preprocess options;
  options.resize = ResizePolicy::short_side_crop;
  options.resize_short = 1 << 20;
  Runner runner(options, {3, 4, 4, false, DType::float32});
  const Image flat = filled(5000, 1, 3, 1);
  EXPECT_MXINFER_ERROR(runner.batch_of({&flat, 1}), ErrorCode::invalid_argument,
                       {"image 0", "uint8 (1, 1, 5000, 3)", "5242880000 pixels"});
}

TEST(Preprocessor, RefusesWhatIsNoPolicy) {
  Preprocess options;
  options.resize = static_cast<ResizePolicy>(7);
  EXPECT_MXINFER_ERROR(check_preprocess(options, {}), ErrorCode::invalid_argument, {"resize is 7"});
  options = {};
  options.interpolation = static_cast<Interpolation>(9);
  EXPECT_MXINFER_ERROR(check_preprocess(options, {}), ErrorCode::invalid_argument, {"interpolation is 9"});
}

}  // namespace
}  // namespace mxinfer::api
