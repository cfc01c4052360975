// Label images as files: the palette, what readers of PNGs see.
#include <gtest/gtest.h>
#include <mxinfer/vision/label_image.h>

#include <filesystem>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

Image all_labels() {
  std::vector<std::uint8_t> labels;
  for (int i = 0; i < 2 * 256; ++i) labels.push_back(static_cast<std::uint8_t>(i / 2));
  return Image(32, 16, 1, labels);
}

using Color = std::array<std::uint8_t, 3>;

TEST(LabelImage, HasThePaletteOfPascalVoc) {
  EXPECT_EQ(label_color(0), (Color{0, 0, 0}));
  EXPECT_EQ(label_color(1), (Color{128, 0, 0}));       // aeroplane
  EXPECT_EQ(label_color(2), (Color{0, 128, 0}));       // bicycle
  EXPECT_EQ(label_color(8), (Color{64, 0, 0}));        // cat
  EXPECT_EQ(label_color(15), (Color{192, 128, 128}));  // person
  EXPECT_EQ(label_color(kUnknownLabel), (Color{224, 224, 192}));
}

TEST(LabelImage, ReadersSeeTheColours) {
  const Image labels = all_labels();
  const auto encoded = encode_label_png(labels);
  const Image colours = decode_image({encoded.data(), encoded.size()});
  ASSERT_EQ(colours.size(), labels.size());
  for (std::size_t i = 0; i < labels.pixels().size(); ++i) {
    const Color color = label_color(labels.pixels()[i]);
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(colours.pixels()[3 * i + c], color[c]) << i;
  }
  EXPECT_EQ(encoded[24], 8u);  // bits
  EXPECT_EQ(encoded[25], 3u);  // with a palette: the values in the file are the labels
}

TEST(LabelImage, IsWrittenWholeOrNotAtAll) {
  const auto folder = std::filesystem::temp_directory_path() / "mxinfer_label_png_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "labels.png").string();
  write_label_png(all_labels(), path);
  EXPECT_EQ(read_image(path).size(), (Size{32, 16}));
  EXPECT_MXINFER_ERROR(write_label_png(all_labels(), (folder / "none" / "labels.png").string()),
                       ErrorCode::invalid_argument, {"none"});
  const std::vector<std::uint8_t> rgb(12, 0);
  EXPECT_MXINFER_ERROR(write_label_png(Image(2, 2, 3, rgb), path), ErrorCode::invalid_argument,
                       {"one channel", "3"});
  EXPECT_MXINFER_ERROR(encode_label_png(Image()), ErrorCode::invalid_argument, {"empty"});
  EXPECT_EQ(read_image(path).size(), (Size{32, 16}));
  std::filesystem::remove_all(folder);
}

TEST(LabelImage, AreasAreTheLargestFirst) {
  const std::vector<std::uint8_t> labels = {3, 1, 1, 255, 2, 3, 255, 255};
  const auto areas = areas_of(Image(4, 2, 1, labels));
  ASSERT_EQ(areas.size(), 3u);
  EXPECT_EQ(areas[0].index, 1);
  EXPECT_EQ(areas[1].index, 3);
  EXPECT_EQ(areas[2].index, 2);
  EXPECT_EQ(areas[0].pixels, 2);
  EXPECT_EQ(areas[2].part, 1.0 / 8);
  EXPECT_TRUE(areas_of(Image()).empty());
}

}  // namespace
}  // namespace mxinfer
