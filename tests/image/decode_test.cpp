// Decoded pictures against what real MXNet made of the same files (tests/oracle/record_images.py).
#include <gtest/gtest.h>
#include <mxinfer/image.h>

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
