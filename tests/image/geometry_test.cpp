#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/vision/image.h>

#include <functional>
#include <string>
#include <vector>

namespace mxinfer {
namespace {

void expect_invalid(const std::function<void()>& call, const std::string& fact) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected: " << fact;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(e.what()).find(fact), std::string::npos) << e.what();
  }
}

TEST(Image, HoldsItsPixelsAndSharesThemWithCopies) {
  const std::vector<std::uint8_t> values = {1, 2, 3, 4, 5, 6};
  const Image image(2, 1, 3, values);
  const Image copy = image;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(image.size(), (Size{2, 1}));
  EXPECT_EQ(image.channels(), 3);
  EXPECT_EQ(copy.pixels().data(), image.pixels().data());
  EXPECT_EQ(std::vector<std::uint8_t>(copy.pixels().begin(), copy.pixels().end()), values);
  EXPECT_EQ(to_string(image.view().shape()), "(1, 2, 3)");
}

TEST(Image, EmptyHasNoPixels) {
  const Image image;
  EXPECT_TRUE(image.empty());
  EXPECT_EQ(image.pixels().size(), 0U);
  EXPECT_EQ(to_string(image.view().shape()), "(0,)");
}

TEST(Image, TakesTensorsOfTwoAndThreeDimensions) {
  EXPECT_EQ(Image(Tensor(DType::uint8, {4, 5})).channels(), 1);
  EXPECT_EQ(Image(Tensor(DType::uint8, {4, 5, 3})).size(), (Size{5, 4}));
}

TEST(Image, RefusesWhatIsNoImage) {
  const std::vector<std::uint8_t> six(6);
  expect_invalid([&] { Image(2, 2, 3, six); }, "has 12 values; 6 were given");
  expect_invalid([&] { Image(0, 2, 3, six); }, "0 x 2 pixels");
  expect_invalid([&] { Image(1, 1, 6, six); }, "with 6 channels");
  expect_invalid([] { Image(Tensor(DType::float32, {2, 2, 3})); }, "got float32 (2, 2, 3)");
  expect_invalid([] { Image(Tensor(DType::uint8, {2, 2, 5})); }, "(2, 2, 5)");
  expect_invalid([] { Image(Tensor(DType::uint8, {2, 0, 3})); }, "(2, 0, 3)");
  expect_invalid([] { Image(Tensor(DType::uint8, {6})); }, "(6,)");
}

TEST(ResizeShort, KeepsTheAspectAndRoundsDown) {
  EXPECT_EQ(resize_short_size({640, 480}, 256), (Size{341, 256}));
  EXPECT_EQ(resize_short_size({480, 640}, 256), (Size{256, 341}));
  EXPECT_EQ(resize_short_size({100, 100}, 7), (Size{7, 7}));
  expect_invalid([] { resize_short_size({0, 4}, 7); }, "0 x 4");
  expect_invalid([] { resize_short_size({4, 4}, 0); }, "short_side is 0");
  expect_invalid([] { resize_short_size({1 << 30, 1}, 1 << 20); }, "the longer side would be");
}

TEST(CenterCrop, ScalesDownToTheImage) {
  EXPECT_EQ(scale_down({640, 480}, {720, 120}), (Size{640, 106}));
  EXPECT_EQ(scale_down({10, 20}, {30, 30}), (Size{10, 10}));
  EXPECT_EQ(scale_down({10, 20}, {4, 5}), (Size{4, 5}));
  const Region region = center_crop_region({3482, 2321}, {1000, 500});
  EXPECT_EQ(region.x, 1241);
  EXPECT_EQ(region.y, 910);
  EXPECT_EQ(region.width, 1000);
  EXPECT_EQ(region.height, 500);
  expect_invalid([] { center_crop_region({10, 10}, {1000, 1}); }, "thinner than one pixel");
}

TEST(AutoInterpolation, FollowsTheDirection) {
  EXPECT_EQ(auto_interpolation({10, 10}, {11, 11}), Interpolation::cubic);
  EXPECT_EQ(auto_interpolation({10, 10}, {9, 9}), Interpolation::area);
  EXPECT_EQ(auto_interpolation({10, 10}, {9, 11}), Interpolation::linear);
  EXPECT_EQ(auto_interpolation({10, 10}, {10, 11}), Interpolation::linear);
}

TEST(Crop, CopiesTheRegion) {
  std::vector<std::uint8_t> values(5 * 4 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i);
  const Image image(5, 4, 3, values);
  const Image part = crop_image(image, {1, 2, 3, 2});
  EXPECT_EQ(part.size(), (Size{3, 2}));
  for (int y = 0; y < 2; ++y) {
    for (int i = 0; i < 9; ++i) EXPECT_EQ(part.pixels()[y * 9 + i], values[(y + 2) * 15 + 3 + i]);
  }
}

TEST(Crop, RefusesRegionsThatAreNotInside) {
  const Image image(Tensor(DType::uint8, {4, 5, 3}));
  for (const Region& region :
       {Region{-1, 0, 2, 2}, Region{0, -1, 2, 2}, Region{4, 0, 2, 2}, Region{0, 3, 2, 2}, Region{0, 0, 0, 2},
        Region{0, 0, 2, 0}, Region{2147483647, 0, 1, 1}}) {
    expect_invalid([&] { crop_image(image, region); }, "is not inside the image of 5 x 4");
  }
}

}  // namespace
}  // namespace mxinfer
