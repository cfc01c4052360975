// The pixels of a part of a JPEG against those of the whole image.
#include "image/decode_part.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "image/encoders.h"
#include "image/golden.h"

namespace mxinfer {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Edges and noise in colours, as a JPEG whose colour has half the sides.
Bytes patterned(int width, int height) {
  std::mt19937 random(static_cast<unsigned>(width));
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c)
        pixels.push_back(static_cast<std::uint8_t>(
            (x * (c + 2) + y * 5 + (x / 9 + y / 7) % 2 * 90 + random() % 40) % 256));
    }
  }
  return image::encode_jpeg(Image(width, height, 3, pixels), 90);
}

void expect_same_region(const Image& whole, const Image& part, const Region& region,
                        const std::string& what) {
  ASSERT_EQ(whole.size(), part.size()) << what;
  const auto channels = static_cast<std::size_t>(whole.channels());
  for (int y = region.y; y < region.y + region.height; ++y) {
    const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width()) +
                            static_cast<std::size_t>(region.x)) *
                           channels;
    for (std::size_t i = at; i < at + static_cast<std::size_t>(region.width) * channels; ++i)
      ASSERT_EQ(whole.pixels()[i], part.pixels()[i]) << what << ", row " << y;
  }
}

Region some_region(Size size, std::mt19937& random) {
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  Region region{below(size.width), below(size.height), 0, 0};
  region.width = 1 + below(size.width - region.x);
  region.height = 1 + below(size.height - region.y);
  return region;
}

void check_regions(const Bytes& file, const std::string& name, int tries) {
  std::mt19937 random(7);
  for (const int scale : {1, 2, 4, 8}) {
    for (const bool color : {true, false}) {
      DecodeOptions options;
      options.color = color;
      options.scale_denominator = scale;
      const Image whole = decode_image(file, options);
      for (int i = 0; i < tries; ++i) {
        const Region region = some_region(whole.size(), random);
        const auto choose = [&](Size full) {
          EXPECT_EQ(image::scaled_size(full, scale), whole.size()) << name;
          return image::DecodePart{region, scale};
        };
        const Image part = image::decode_part(file, options, choose);
        expect_same_region(whole, part, region,
                           name + " at 1/" + std::to_string(scale) + ", from (" + std::to_string(region.x) +
                               ", " + std::to_string(region.y) + ")");
      }
    }
  }
}

TEST(DecodePart, HasTheBitsOfTheWholeImage) {
  for (const Size size : {Size{16, 16}, Size{203, 157}, Size{640, 480}, Size{61, 300}})
    check_regions(patterned(size.width, size.height), std::to_string(size.width), 20);
}

TEST(DecodePart, HasThemForFilesOfEveryKind) {
  for (const auto& entry : std::filesystem::directory_iterator(test::golden_folder())) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".jpg") continue;
    check_regions(test::golden_file(name), name, 10);
  }
}

/// Of smooth pixels: each is about the mean of those that it stands for.
TEST(DecodePart, AScaledImageIsNearTheMeanOfTheFullOne) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < 320; ++y) {
    for (int x = 0; x < 480; ++x) {
      for (int c = 0; c < 3; ++c)
        pixels.push_back(
            static_cast<std::uint8_t>(128 + 50 * std::sin(x / 37.0 + c) + 50 * std::cos(y / 23.0 - c)));
    }
  }
  const Bytes file = image::encode_jpeg(Image(480, 320, 3, pixels), 90);
  for (const int scale : {2, 4, 8}) {
    const auto choose = [&](Size) { return image::DecodePart{std::nullopt, scale}; };
    const Image small = image::decode_part(file, {}, choose);
    const Image mean = resize_image(decode_image(file), 480 / scale, 320 / scale, Interpolation::area);
    ASSERT_EQ(small.size(), mean.size());
    for (std::size_t i = 0; i < small.pixels().size(); ++i)
      ASSERT_NEAR(small.pixels()[i], mean.pixels()[i], 6) << "at 1/" << scale;
  }
}

TEST(DecodePart, APngIsDecodedAsAWhole) {
  const auto choose = [](Size) { return image::DecodePart{Region{1, 1, 2, 2}, 4}; };
  const Image part = image::decode_part(test::golden_file("rgb.png"), {}, choose);
  const Image whole = decode_image(test::golden_file("rgb.png"));
  expect_same_region(whole, part, {0, 0, whole.width(), whole.height()}, "rgb.png");
}

/// Of an image that is scaled, nothing below the region is read; what is above it must be there.
TEST(DecodePart, ScaledReadsNothingBelowTheRegion) {
  const Bytes file = patterned(320, 240);
  const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(file.size() / 2));
  const Region above{10, 0, 30, 20}, below{10, 40, 30, 20};
  const auto part = [](const Region& region) {
    return [region](Size) { return image::DecodePart{region, 4}; };
  };
  expect_same_region(image::decode_part(file, {}, part(above)), image::decode_part(cut, {}, part(above)),
                     above, "the upper part of a file that was cut short");
  EXPECT_THROW((void)image::decode_part(cut, {}, part(below)), Error);
}

/// Damage behind the region, and in front of it, is found as in the whole image.
TEST(DecodePart, FindsDamageAnywhere) {
  const Bytes file = patterned(320, 240);
  for (const double share : {0.3, 0.6, 0.9, 0.98}) {
    const Bytes cut(file.begin(),
                    file.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(file.size()) * share));
    std::string expected;
    try {
      (void)decode_image(cut);
    } catch (const Error& error) {
      expected = error.what();
    }
    EXPECT_NE(expected, "");
    for (const Region& region : {Region{100, 0, 20, 20}, Region{100, 100, 20, 20}, Region{0, 220, 320, 20}}) {
      const auto choose = [&](Size) { return image::DecodePart{region, 1}; };
      try {
        (void)image::decode_part(cut, {}, choose);
        ADD_FAILURE() << "cut at " << share;
      } catch (const Error& error) {
        EXPECT_EQ(error.what(), expected);
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer
