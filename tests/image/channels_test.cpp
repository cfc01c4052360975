// Images made of pixels: which are taken, and that they become what a PNG of them is decoded to.
#include <gtest/gtest.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/image.h>

#include <random>
#include <string>
#include <vector>

#include "image/file_kind.h"
#include "image/golden.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

std::vector<int> values_of(const TensorView& pixels) {
  const auto* first = static_cast<const std::uint8_t*>(pixels.raw());
  return {first, first + pixels.shape().elements()};
}

Image grey_decoded(const std::vector<std::uint8_t>& file) {
  DecodeOptions grey;
  grey.color = false;
  return decode_image(file, grey);
}

TEST(Channels, SamplesBecomeWhatMxnetDecodesTheirFileTo) {
  const auto decoded = test::golden_arrays("decode.npz");
  const auto samples = test::golden_arrays("samples.npz");
  ASSERT_EQ(samples.size(), 8U);
  for (const auto& [file, given] : samples) {
    const Image image(given.clone());
    const bool is_grey = given.shape().rank() == 2 || given.shape()[2] == 2;
    EXPECT_EQ(image.channels(), is_grey ? 1 : 3) << file;
    EXPECT_EQ(values_of(image.view()), values_of(decoded.at(file + (is_grey ? ".grey" : ".color")).view()))
        << file;
    EXPECT_EQ(values_of(convert_channels(image, 1).view()), values_of(decoded.at(file + ".grey").view()))
        << file;
    EXPECT_EQ(values_of(convert_channels(image, 3).view()), values_of(decoded.at(file + ".color").view()))
        << file;
  }
}

TEST(Channels, GreyIsThatOfTheDecoderForAllColours) {
  std::mt19937 random(3);
  Tensor pixels(DType::uint8, {512, 512, 3});
  for (std::int64_t i = 0; i < pixels.elements(); ++i)
    pixels.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(random() >> 24);
  const Image image(std::move(pixels));
  const Image grey = convert_channels(image, 1);
  EXPECT_EQ(values_of(grey.view()), values_of(grey_decoded(encode_image(image, ImageFormat::png)).view()));
  EXPECT_EQ(values_of(convert_channels(convert_channels(grey, 3), 1).view()), values_of(grey.view()));
}

TEST(Channels, APartOf16BitColoursIsAsGreyAsTheWhole) {
  const Image image(test::golden_arrays("samples.npz").at("rgba_16bit.png").clone());
  const Region region{3, 2, 9, 7};
  EXPECT_EQ(values_of(convert_channels(crop_image(image, region), 1).view()),
            values_of(crop_image(convert_channels(image, 1), region).view()));
  EXPECT_NE(values_of(convert_channels(Image(17, 13, 3, image.pixels()), 1).view()),
            values_of(convert_channels(image, 1).view()))
      << "grey of 16 bits is not that of their upper 8";
}

TEST(Channels, PixelsInAnotherFormAreRefusedWithWhatToDo) {
  EXPECT_MXINFER_ERROR(Image(Tensor(DType::float32, {4, 5, 3})), ErrorCode::invalid_argument,
                       {"float32 (4, 5, 3)", "scale floats to 0..255", "uint8"});
  EXPECT_MXINFER_ERROR(Image(Tensor(DType::int64, {4, 5})), ErrorCode::invalid_argument, {"int64", "cast"});
  EXPECT_MXINFER_ERROR(Image(Tensor(DType::uint8, {3, 40, 50})), ErrorCode::invalid_argument,
                       {"uint8 (3, 40, 50)", "transpose it to (40, 50, 3)"});
  for (const Shape& shape : {Shape{5, 5, 5}, Shape{1, 4, 5, 3}, Shape{4}, Shape{0, 4, 3}, Shape{4, 0}}) {
    EXPECT_MXINFER_ERROR(Image(Tensor(DType::uint8, shape)), ErrorCode::invalid_argument,
                         {to_string(shape), "(height, width, channels)", "4 (RGB, alpha)"});
  }
  const Image image(Tensor(DType::uint8, {4, 5, 3}));
  EXPECT_MXINFER_ERROR(convert_channels(image, 2), ErrorCode::invalid_argument, {"2", "1 (grey) or 3 (RGB)"});
  EXPECT_MXINFER_ERROR(convert_channels(Image(), 3), ErrorCode::invalid_argument, {"empty"});
}

TEST(Channels, FilesOfImagesAreToldFromTexts) {
  for (const auto& entry : std::filesystem::directory_iterator(test::golden_folder())) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(image::begins_like_image(test::golden_file(name)), entry.path().extension() != ".npz") << name;
  }
  const std::string bmp("BM\x36\0\0\0\0\0", 8), gif("GIF89a\x01\0", 8);
  EXPECT_TRUE(image::begins_like_image(bmp));
  EXPECT_TRUE(image::begins_like_image(gif));
  for (const std::string text :
       {"BMW/1.jpg\nBMW/2.jpg\n", "GIF89a.jpg", "", "\n", "II*/a.jpg", "\xc3\xa4.png"})
    EXPECT_FALSE(image::begins_like_image(text)) << text;
}

}  // namespace
}  // namespace mxinfer
