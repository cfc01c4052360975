// Images as files: what comes back when they are read, and what cannot be written.
#include <gtest/gtest.h>
#include <mxinfer/vision/encode.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

/// Smooth, so that a JPEG keeps it, and another in each channel.
Image smooth_image(int width, int height, int channels) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c)
        pixels.push_back(static_cast<std::uint8_t>(127 + 120 * std::sin(0.02 * x + 0.03 * y + c)));
    }
  }
  return Image(width, height, channels, Span<const std::uint8_t>(pixels));
}

/// No two neighbours are alike: what a PNG must keep to the bit.
Image noise_image(int width, int height, int channels) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                   static_cast<std::size_t>(channels));
  unsigned state = 1;
  for (std::uint8_t& pixel : pixels)
    pixel = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return Image(width, height, channels, Span<const std::uint8_t>(pixels));
}

int largest_difference(const Image& a, const Image& b) {
  EXPECT_EQ(a.pixels().size(), b.pixels().size());
  int largest = 0;
  for (std::size_t i = 0; i < std::min(a.pixels().size(), b.pixels().size()); ++i)
    largest = std::max(largest, std::abs(int{a.pixels()[i]} - int{b.pixels()[i]}));
  return largest;
}

Image decoded(const std::vector<std::uint8_t>& file, int channels) {
  DecodeOptions options;
  options.color = channels == 3;
  return decode_image(file, options);
}

TEST(Encode, APngComesBackToTheBit) {
  for (const int channels : {1, 3}) {
    for (const Size size : {Size{1, 1}, Size{7, 3}, Size{300, 200}, Size{1, 500}}) {
      const Image image = noise_image(size.width, size.height, channels);
      const std::vector<std::uint8_t> file = encode_image(image, ImageFormat::png);
      const Image back = decoded(file, channels);
      EXPECT_EQ(back.size(), size);
      EXPECT_EQ(largest_difference(image, back), 0) << size.width << " x " << size.height;
    }
  }
}

TEST(Encode, AJpegComesBackNearly) {
  for (const int channels : {1, 3}) {
    for (const Size size : {Size{1, 1}, Size{17, 9}, Size{300, 200}}) {
      const Image image = smooth_image(size.width, size.height, channels);
      const Image back = decoded(encode_image(image, ImageFormat::jpeg, 95), channels);
      EXPECT_EQ(back.size(), size);
      EXPECT_LE(largest_difference(image, back), 8) << size.width << " x " << size.height;
    }
  }
}

TEST(Encode, QualityIsWhatAJpegCosts) {
  const Image image = noise_image(200, 100, 3);
  std::size_t last = 0;
  for (const int quality : {1, 30, 60, 89, 90, 100}) {
    const std::size_t size = encode_image(image, ImageFormat::jpeg, quality).size();
    EXPECT_GT(size, last) << quality;
    last = size;
  }
  EXPECT_EQ(encode_image(image, ImageFormat::png, 1), encode_image(image, ImageFormat::png, 100));
}

// From 90 on colour is kept pixel by pixel: a red line on grey, as boxes are drawn.
TEST(Encode, ThinLinesKeepTheirColour) {
  std::vector<std::uint8_t> pixels(64 * 64 * 3, 128);
  for (int y = 0; y < 64; ++y) {
    for (int c = 0; c < 3; ++c) pixels[static_cast<std::size_t>((y * 64 + 31) * 3 + c)] = c == 0 ? 255 : 0;
  }
  const Image image(64, 64, 3, Span<const std::uint8_t>(pixels));
  const auto redness = [&](int quality) {
    const Image back = decode_image(encode_image(image, ImageFormat::jpeg, quality));
    const std::uint8_t* at = back.pixels().data() + (32 * 64 + 31) * 3;
    return at[0] - at[1];
  };
  EXPECT_GT(redness(90), 220);
  EXPECT_LT(redness(89), 200);
}

TEST(Encode, SaysWhatCannotBeEncoded) {
  const Image image = smooth_image(4, 4, 3);
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png}) {
    EXPECT_MXINFER_ERROR(encode_image(Image(), format), ErrorCode::invalid_argument, {"empty"});
    for (const int quality : {0, 101, -5}) {
      EXPECT_MXINFER_ERROR(encode_image(image, format, quality), ErrorCode::invalid_argument,
                           {"quality is " + std::to_string(quality), "from 1", "to 100"});
    }
  }
  const Image wide(Tensor(DType::uint8, {1, 65501, 1}));
  EXPECT_MXINFER_ERROR(encode_image(wide), ErrorCode::unsupported, {"65501 x 1", "65500", "PNG"});
  EXPECT_EQ(decoded(encode_image(wide, ImageFormat::png), 1).width(), 65501);
}

TEST(WriteImage, TheEndingIsTheFormat) {
  const test::TempDir dir;
  const Image image = noise_image(20, 10, 3);
  for (const std::string name : {"a.png", "b.PNG", "with space.png"}) {
    write_image(image, dir / name);
    EXPECT_EQ(largest_difference(read_image(dir / name), image), 0) << name;
  }
  for (const std::string name : {"a.jpg", "b.jpeg", "c.JPG"}) {
    write_image(image, dir / name, 50);
    const std::vector<std::uint8_t> expected = encode_image(image, ImageFormat::jpeg, 50);
    EXPECT_EQ(test::read_file(dir / name), std::string(expected.begin(), expected.end())) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 6)
      << "no temporary file is left";
}

TEST(WriteImage, SaysWhatCannotBeWritten) {
  const test::TempDir dir;
  const Image image = smooth_image(4, 4, 3);
  EXPECT_MXINFER_ERROR(write_image(image, dir / "a.bmp"), ErrorCode::invalid_argument,
                       {"a.bmp", "'.bmp'", ".jpg, .jpeg or .png"});
  EXPECT_MXINFER_ERROR(write_image(image, dir / "a"), ErrorCode::invalid_argument, {"ends in nothing"});
  EXPECT_MXINFER_ERROR(write_image(image, dir / "none/a.png"), ErrorCode::not_found,
                       {"none/a.png", "no folder", "create it"});
  EXPECT_MXINFER_ERROR(write_image(image, dir / "a.jpg", 0), ErrorCode::invalid_argument,
                       {"a.jpg", "quality is 0"});
  EXPECT_MXINFER_ERROR(write_image(Image(), dir / "a.png"), ErrorCode::invalid_argument, {"empty"});
  fs::create_directory(dir / "folder.png");
  EXPECT_MXINFER_ERROR(write_image(image, dir / "folder.png"), ErrorCode::invalid_argument, {"a folder"});
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

// What was there stays if the new file cannot be written.
TEST(WriteImage, AFailureLeavesTheOldFile) {
  const test::TempDir dir;
  const std::string path = dir.write("old.png", "old");
  EXPECT_MXINFER_ERROR(write_image(Image(), path), ErrorCode::invalid_argument, {"empty"});
  EXPECT_EQ(test::read_file(path), "old");
}

}  // namespace
}  // namespace mxinfer
