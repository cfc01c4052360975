// Decoded images against what real MXNet made of the same files (tests/oracle/record_images.py).
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/vision/image.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "image/golden.h"

namespace mxinfer {
namespace {

int largest_difference(const Image& image, const Tensor& expected) {
  if (to_string(image.view().shape()) != to_string(expected.shape())) return 1000;
  int largest = 0;
  for (std::size_t i = 0; i < image.pixels().size(); ++i) {
    largest = std::max(largest, std::abs(image.pixels()[i] - expected.data<std::uint8_t>()[i]));
  }
  return largest;
}

TEST(Decode, EqualsMxnet) {
  const auto arrays = test::golden_arrays("decode.npz");
  ASSERT_GE(arrays.size(), 70U);
  for (const auto& [name, expected] : arrays) {
    const std::size_t dot = name.rfind('.');
    const std::string file = name.substr(0, dot);
    DecodeOptions options;
    options.color = name.substr(dot) == ".color";
    const Image image = decode_image(test::golden_file(file), options);
    EXPECT_EQ(largest_difference(image, expected), 0) << name;
  }
}

TEST(Decode, BgrHasTheChannelsReversed) {
  DecodeOptions bgr;
  bgr.order = ColorOrder::bgr;
  for (const char* file : {"420.jpg", "grey.jpg", "cmyk.jpg", "rgb.png", "palette.png", "grey.png"}) {
    const Image a = decode_image(test::golden_file(file));
    const Image b = decode_image(test::golden_file(file), bgr);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.pixels().size(); i += 3) {
      ASSERT_EQ(a.pixels()[i], b.pixels()[i + 2]) << file;
      ASSERT_EQ(a.pixels()[i + 1], b.pixels()[i + 1]) << file;
      ASSERT_EQ(a.pixels()[i + 2], b.pixels()[i]) << file;
    }
  }
}

/// The mean of a block of grey pixels.
double block_mean(const Image& image, int left, int top, int side) {
  double sum = 0;
  for (int y = top; y < top + side; ++y) {
    for (int x = left; x < left + side; ++x)
      sum += image.pixels()[static_cast<std::size_t>(y * image.width() + x)];
  }
  return sum / (side * side);
}

TEST(Decode, AJpegCanBeDecodedSmaller) {
  for (const char* file :
       {"420.jpg", "444.jpg", "440.jpg", "411.jpg", "grey.jpg", "progressive.jpg", "cmyk.jpg", "exif6.jpg"}) {
    for (const bool color : {true, false}) {
      DecodeOptions options;
      options.color = color;
      const Image whole = decode_image(test::golden_file(file), options);
      for (const int scale : {2, 4, 8}) {
        options.scale_denominator = scale;
        const Image small = decode_image(test::golden_file(file), options);
        EXPECT_EQ(small.width(), (whole.width() + scale - 1) / scale) << file;
        EXPECT_EQ(small.height(), (whole.height() + scale - 1) / scale) << file;
        EXPECT_EQ(small.channels(), whole.channels());
      }
    }
  }
}

/// At an eighth only the mean of each of the file's blocks is left.
TEST(Decode, AnEighthHasTheMeansOfBlocks) {
  for (const char* file : {"420.jpg", "444.jpg", "grey.jpg", "progressive_grey.jpg"}) {
    DecodeOptions options;
    options.color = false;
    const Image whole = decode_image(test::golden_file(file), options);
    options.scale_denominator = 8;
    const Image small = decode_image(test::golden_file(file), options);
    for (int y = 0; 8 * (y + 1) <= whole.height(); ++y) {
      for (int x = 0; 8 * (x + 1) <= whole.width(); ++x) {
        // Values beyond 0 and 255 were cut in the whole image.
        EXPECT_NEAR(small.pixels()[static_cast<std::size_t>(y * small.width() + x)],
                    block_mean(whole, 8 * x, 8 * y, 8), 6)
            << file;
      }
    }
  }
}

TEST(Decode, OnlyJpegsAreDecodedSmaller) {
  DecodeOptions options;
  options.scale_denominator = 4;
  EXPECT_EQ(decode_image(test::golden_file("rgb.png"), options).size(),
            decode_image(test::golden_file("rgb.png")).size());
  options.scale_denominator = 3;
  EXPECT_THROW(decode_image(test::golden_file("420.jpg"), options), Error);
}

TEST(Decode, ExifCanBeIgnored) {
  DecodeOptions as_stored;
  as_stored.apply_exif = false;
  const Image upright = decode_image(test::golden_file("exif1.jpg"));
  for (int orientation = 2; orientation <= 8; ++orientation) {
    const auto bytes = test::golden_file("exif" + std::to_string(orientation) + ".jpg");
    const Image stored = decode_image(bytes, as_stored);
    EXPECT_TRUE(std::equal(stored.pixels().begin(), stored.pixels().end(), upright.pixels().begin()));
    EXPECT_FALSE(
        std::equal(stored.pixels().begin(), stored.pixels().end(), decode_image(bytes).pixels().begin()));
  }
}

// MXNet ignores EXIF behind a JFIF segment; here it counts wherever it stands.
TEST(Decode, ExifBehindJfifCounts) {
  std::vector<std::uint8_t> bytes = test::golden_file("exif6.jpg");
  const std::vector<std::uint8_t> jfif = {0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0,
                                          1,    1,    0, 0,  1,   0,   1,   0,   0};
  bytes.insert(bytes.begin() + 2, jfif.begin(), jfif.end());
  EXPECT_EQ(decode_image(bytes).size(), (Size{13, 17}));
}

TEST(Decode, ALostEndMarkerDoesNoHarm) {
  for (const char* file : {"420.jpg", "grey.jpg", "restart.jpg"}) {
    std::vector<std::uint8_t> bytes = test::golden_file(file);
    const Image whole = decode_image(bytes);
    for (int cut = 1; cut <= 2; ++cut) {
      bytes.pop_back();
      const Image image = decode_image(bytes);
      EXPECT_TRUE(std::equal(image.pixels().begin(), image.pixels().end(), whole.pixels().begin())) << file;
    }
  }
}

TEST(ReadImage, ReadsAFile) {
  const Image image = read_image((test::golden_folder() / "420.jpg").string());
  EXPECT_EQ(image.size(), (Size{17, 13}));
  EXPECT_EQ(image.channels(), 3);
}

}  // namespace
}  // namespace mxinfer
