// What Preprocess computes, against plain loops over the pixels: every policy, interpolation, order of
// colours, layout and dtype, on images smaller and larger than the network's input. The bits must be the
// same.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
namespace {

struct Setting {
  Preprocess options;
  ImageInput input;
};

// The part of the network's input that is image, and its pixels.
struct Fitted {
  Image image;
  Region region;
};

Region fitted_region(Size image, const ImageInput& input) {
  const double ratio = std::min(static_cast<double>(input.width) / image.width,
                                static_cast<double>(input.height) / image.height);
  Region region;
  region.width = std::clamp(static_cast<int>(std::lround(image.width * ratio)), 1, input.width);
  region.height = std::clamp(static_cast<int>(std::lround(image.height * ratio)), 1, input.height);
  region.x = (input.width - region.width) / 2;
  region.y = (input.height - region.height) / 2;
  return region;
}

// A network of one channel gets grey before anything is resized.
Image with_channels_of(const Image& image, const ImageInput& input) {
  if (input.channels == 3 || image.channels() == 1) return image;
  std::vector<std::uint8_t> grey;
  for (const std::uint8_t* rgb = image.pixels().begin(); rgb != image.pixels().end(); rgb += 3)
    grey.push_back(static_cast<std::uint8_t>((rgb[0] * 9797 + rgb[1] * 19234 + rgb[2] * 3737) >> 15));
  return {image.width(), image.height(), 1, grey};
}

Fitted fit(const Image& given, const Setting& setting) {
  const Image image = with_channels_of(given, setting.input);
  const Preprocess& options = setting.options;
  const ImageInput& input = setting.input;
  const Region all{0, 0, input.width, input.height};
  if (options.resize == ResizePolicy::stretch)
    return {resize_image(image, input.width, input.height, options.interpolation), all};
  if (options.resize == ResizePolicy::letterbox) {
    const Region region = fitted_region(image.size(), input);
    return {resize_image(image, region.width, region.height, options.interpolation), region};
  }
  const int side = options.resize_short > 0
                       ? options.resize_short
                       : static_cast<int>(std::lround(std::min(input.width, input.height) * (256.0 / 224.0)));
  const Size resized = resize_short_size(image.size(), side);
  Image result = resize_image(image, resized.width, resized.height, options.interpolation);
  result = crop_image(result, center_crop_region(result.size(), {input.width, input.height}));
  return {resize_image(result, input.width, input.height, options.interpolation), all};
}

// Channel c of the network's pixel (x, y), 0 to 255.
int pixel_value(const Fitted& fitted, const Setting& setting, int x, int y, int c) {
  const Region& region = fitted.region;
  const bool inside =
      x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height;
  if (!inside) return static_cast<int>(setting.options.pad_value);
  const int channels = fitted.image.channels();
  const std::uint8_t* pixel =
      fitted.image.pixels().data() + ((y - region.y) * region.width + (x - region.x)) * channels;
  if (channels == 1) return pixel[0];
  return pixel[setting.options.color == ColorOrder::bgr ? 2 - c : c];
}

template <typename T>
void write_pixels(const Fitted& fitted, const Setting& setting, T* out) {
  const ImageInput& input = setting.input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      for (int c = 0; c < input.channels; ++c) {
        const auto k = static_cast<std::size_t>(c);
        const auto value = static_cast<float>(pixel_value(fitted, setting, x, y, c));
        const float result =
            (value * setting.options.scale - setting.options.mean[k]) / setting.options.std[k];
        const int at = input.channels_last ? (y * input.width + x) * input.channels + c
                                           : (c * input.height + y) * input.width + x;
        out[at] = static_cast<T>(result);
      }
    }
  }
}

Tensor expected_input(const Image& image, const Setting& setting) {
  const ImageInput& input = setting.input;
  Tensor tensor(input.dtype, input.channels_last ? Shape{1, input.height, input.width, input.channels}
                                                 : Shape{1, input.channels, input.height, input.width});
  const Fitted fitted = fit(image, setting);
  if (input.dtype == DType::uint8) {
    write_pixels(fitted, setting, tensor.data<std::uint8_t>());
  } else {
    write_pixels(fitted, setting, tensor.data<float>());
  }
  return tensor;
}

std::string describe(const Setting& setting, const Image& image) {
  const Preprocess& o = setting.options;
  const ImageInput& i = setting.input;
  const auto text = [](auto value) { return std::to_string(value) + ' '; };
  return "image " + text(image.width()) + "x " + text(image.height()) + "x " + text(image.channels()) +
         "policy " + text(static_cast<int>(o.resize)) + "short " + text(o.resize_short) + "interpolation " +
         text(static_cast<int>(o.interpolation)) + "bgr " + text(o.color == ColorOrder::bgr) + "scale " +
         text(o.scale) + "mean " + text(o.mean[0]) + "std " + text(o.std[0]) + "pad " + text(o.pad_value) +
         "to " + text(i.channels) + "x " + text(i.height) + "x " + text(i.width) + "last " +
         text(i.channels_last) + to_string(i.dtype);
}

Image noise(int width, int height, int channels) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                   static_cast<std::size_t>(channels));
  std::uint32_t state = 12345;
  for (std::uint8_t& pixel : pixels) {
    state = state * 1664525 + 1013904223;
    pixel = static_cast<std::uint8_t>(state >> 24);
  }
  return {width, height, channels, pixels};
}

std::vector<Image> small_images() {
  std::vector<Image> images;
  for (const int channels : {1, 3}) {
    for (const Size size : {Size{1, 1}, {1, 5}, {3, 2}, {9, 13}, {32, 24}, {57, 40}, {120, 31}})
      images.push_back(noise(size.width, size.height, channels));
  }
  return images;
}

std::vector<Image> photographs() {
  const std::string folder = MXINFER_SOURCE_DIR "/tests/golden/image/";
  DecodeOptions grey;
  grey.color = false;
  return {read_image(folder + "420.jpg"), read_image(folder + "444.jpg", grey)};
}

// Sizes of the network's input and how images come to them.
std::vector<Setting> geometries() {
  std::vector<Setting> settings;
  for (const Size size : {Size{1, 1}, {7, 5}, {16, 16}, {33, 17}, {20, 48}}) {
    for (int interpolation = 0; interpolation < 5; ++interpolation) {
      Setting setting;
      setting.input.width = size.width;
      setting.input.height = size.height;
      setting.options.interpolation = static_cast<Interpolation>(interpolation);
      for (const auto policy :
           {ResizePolicy::stretch, ResizePolicy::short_side_crop, ResizePolicy::letterbox}) {
        setting.options.resize = policy;
        settings.push_back(setting);
      }
      setting.options.resize = ResizePolicy::short_side_crop;
      for (const int side : {3, 16, 40}) {
        setting.options.resize_short = side;
        settings.push_back(setting);
      }
    }
  }
  return settings;
}

Preprocess with_arithmetic(float scale, std::array<float, 3> mean, std::array<float, 3> std) {
  Preprocess options;
  options.scale = scale;
  options.mean = mean;
  options.std = std;
  return options;
}

// Everything but the geometry.
std::vector<Setting> pixel_settings() {
  std::vector<Setting> settings;
  const std::vector<Preprocess> arithmetic = {
      with_arithmetic(1, {0, 0, 0}, {1, 1, 1}),
      with_arithmetic(1.0f / 255, {0, 0, 0}, {1, 1, 1}),
      with_arithmetic(1.0f / 255, {0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}),
      with_arithmetic(1, {123.68f, 116.779f, 103.939f}, {1, 1, 1}),
      with_arithmetic(0.1f, {0, 0, 0}, {-3, 7, 1e-3f}),
      with_arithmetic(0, {-1e30f, 3, 1}, {1, 1, 1e-30f})};
  for (std::size_t i = 0; i <= arithmetic.size(); ++i) {
    for (int form = 0; form < 8; ++form) {
      Setting setting;
      if (i < arithmetic.size()) {
        setting.options = arithmetic[i];
      } else {
        setting.input.dtype = DType::uint8;
      }
      setting.input.channels = (form & 1) != 0 ? 1 : 3;
      setting.input.channels_last = (form & 2) != 0;
      setting.options.color = (form & 4) != 0 ? ColorOrder::bgr : ColorOrder::rgb;
      constexpr float kPads[] = {0, 114, 127.5f, 255};
      setting.options.pad_value = kPads[settings.size() % 4];
      settings.push_back(setting);
    }
  }
  return settings;
}

Setting combined(const Setting& geometry, const Setting& pixels) {
  Setting setting = pixels;
  setting.input.width = geometry.input.width;
  setting.input.height = geometry.input.height;
  setting.options.resize = geometry.options.resize;
  setting.options.resize_short = geometry.options.resize_short;
  setting.options.interpolation = geometry.options.interpolation;
  return setting;
}

// The result of `make`; nothing if it throws, which must be Error(invalid_argument).
template <typename Make>
std::optional<Tensor> made(const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    return std::nullopt;
  }
}

bool same_bits(const Image& image, const Setting& setting) {
  const auto expected = made([&] { return expected_input(image, setting); });
  const auto got = made([&] { return prepare_images({&image, 1}, setting.options, setting.input).tensor; });
  if (expected.has_value() != got.has_value()) return false;
  return !expected || (expected->shape() == got->shape() && expected->dtype() == got->dtype() &&
                       std::memcmp(expected->raw(), got->raw(), expected->bytes()) == 0);
}

TEST(PreprocessBits, EveryGeometryWithSomeArithmetic) {
  const auto pixels = pixel_settings();
  std::size_t next = 0;
  for (const Setting& geometry : geometries()) {
    for (const Image& image : small_images()) {
      const Setting setting = combined(geometry, pixels[next++ % pixels.size()]);
      ASSERT_TRUE(same_bits(image, setting)) << describe(setting, image);
    }
  }
}

TEST(PreprocessBits, AllArithmeticWithSomeGeometry) {
  const auto all = geometries();
  std::size_t next = 0;
  for (const Setting& pixels : pixel_settings()) {
    for (const Image& image : small_images()) {
      const Setting setting = combined(all[next % all.size()], pixels);
      next += 37;
      ASSERT_TRUE(same_bits(image, setting)) << describe(setting, image);
    }
  }
}

TEST(PreprocessBits, PhotographsWithEveryPreset) {
  for (const std::string& name : Preprocess::preset_names()) {
    Setting setting;
    setting.options = Preprocess::preset(name);
    setting.input.width = 96;
    setting.input.height = 64;
    for (const Image& image : photographs())
      EXPECT_TRUE(same_bits(image, setting)) << name << ": " << describe(setting, image);
  }
}

}  // namespace
}  // namespace mxinfer
