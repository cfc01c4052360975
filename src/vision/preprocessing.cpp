#include "vision/preprocessing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

// The network's height x width, as uint8 with the image's own channels, and the part of it that is image.
struct Canvas {
  Image image;
  Region region;
};

Canvas stretch(const Image& image, const Preprocess& options, const ImageInput& input) {
  return {resize_image(image, input.width, input.height, options.interpolation),
          {0, 0, input.width, input.height}};
}

int short_side(const Preprocess& options, const ImageInput& input) {
  if (options.resize_short > 0) return options.resize_short;
  return static_cast<int>(std::lround(std::min(input.width, input.height) * (256.0 / 224.0)));
}

Canvas short_side_crop(const Image& image, const Preprocess& options, const ImageInput& input) {
  const Size resized = resize_short_size(image.size(), short_side(options, input));
  const Size wanted{input.width, input.height};
  Image result = resize_image(image, resized.width, resized.height, options.interpolation);
  result = crop_image(result, center_crop_region(result.size(), wanted));
  if (result.size() != wanted)
    result = resize_image(result, wanted.width, wanted.height, options.interpolation);
  return {std::move(result), {0, 0, input.width, input.height}};
}

Region letterbox_region(Size image, const ImageInput& input) {
  const double ratio = std::min(static_cast<double>(input.width) / image.width,
                                static_cast<double>(input.height) / image.height);
  Region region;
  region.width = std::clamp(static_cast<int>(std::lround(image.width * ratio)), 1, input.width);
  region.height = std::clamp(static_cast<int>(std::lround(image.height * ratio)), 1, input.height);
  region.x = (input.width - region.width) / 2;
  region.y = (input.height - region.height) / 2;
  return region;
}

Canvas letterbox(const Image& image, const Preprocess& options, const ImageInput& input) {
  const Region region = letterbox_region(image.size(), input);
  return {resize_image(image, region.width, region.height, options.interpolation), region};
}

Canvas fit(const Image& image, const Preprocess& options, const ImageInput& input) {
  switch (options.resize) {
    case ResizePolicy::stretch:
      return stretch(image, options, input);
    case ResizePolicy::short_side_crop:
      return short_side_crop(image, options, input);
    case ResizePolicy::letterbox:
      return letterbox(image, options, input);
  }
  fail(ErrorCode::invalid_argument, "Preprocess::resize is ", static_cast<int>(options.resize),
       ", which is no policy");
}

// OpenCV's fixed-point luma of an RGB pixel.
int luma(const std::uint8_t* rgb) {
  return (rgb[0] * 4899 + rgb[1] * 9617 + rgb[2] * 1868 + (1 << 13)) >> 14;
}

// The value of channel c of an image's pixel, for a network of input.channels channels.
int channel_value(const std::uint8_t* pixel, int image_channels, int network_channels, int c,
                  ColorOrder order) {
  if (image_channels == 1) return pixel[0];
  if (network_channels == 1) return luma(pixel);
  return pixel[order == ColorOrder::bgr ? 2 - c : c];
}

// What each of the 256 pixel values becomes: the arithmetic is done once for each, not once for each pixel.
template <typename T>
std::vector<T> value_table(const Preprocess& options, int channels) {
  std::vector<T> table(static_cast<std::size_t>(channels) * 256);
  for (int c = 0; c < channels; ++c) {
    const auto k = static_cast<std::size_t>(c);
    for (int value = 0; value < 256; ++value) {
      const float v = (static_cast<float>(value) * options.scale - options.mean[k]) / options.std[k];
      table[k * 256 + static_cast<std::size_t>(value)] = static_cast<T>(v);
    }
  }
  return table;
}

template <typename T>
void write_sample(const Canvas& canvas, const Preprocess& options, const ImageInput& input, T* sample) {
  const std::vector<T> table = value_table<T>(options, input.channels);
  const auto pad = static_cast<std::size_t>(options.pad_value);
  const std::size_t plane = static_cast<std::size_t>(input.height) * static_cast<std::size_t>(input.width);
  const std::size_t pixel_step = input.channels_last ? static_cast<std::size_t>(input.channels) : 1;
  const std::size_t channel_step = input.channels_last ? 1 : plane;
  const Region& region = canvas.region;
  const std::uint8_t* pixels = canvas.image.pixels().data();
  const int channels = canvas.image.channels();
  for (int c = 0; c < input.channels; ++c) {
    const T* values = table.data() + static_cast<std::size_t>(c) * 256;
    T* out = sample + static_cast<std::size_t>(c) * channel_step;
    for (int y = 0; y < input.height; ++y) {
      const bool inside_rows = y >= region.y && y < region.y + region.height;
      for (int x = 0; x < input.width; ++x, out += pixel_step) {
        if (inside_rows && x >= region.x && x < region.x + region.width) {
          const auto index =
              (static_cast<std::size_t>(y - region.y) * static_cast<std::size_t>(region.width) +
               static_cast<std::size_t>(x - region.x)) *
              static_cast<std::size_t>(channels);
          *out = values[channel_value(pixels + index, channels, input.channels, c, options.color)];
        } else {
          *out = values[pad];
        }
      }
    }
  }
}

}  // namespace

void check_preprocess(const Preprocess& options, const ImageInput& input) {
  for (float s : options.std) {
    if (s == 0 || !std::isfinite(s))
      fail(ErrorCode::invalid_argument, "Preprocess::std holds ", s, "; no channel may be divided by that");
  }
  const bool finite = std::isfinite(options.scale) && std::all_of(options.mean.begin(), options.mean.end(),
                                                                  [](float m) { return std::isfinite(m); });
  if (!finite) fail(ErrorCode::invalid_argument, "Preprocess::scale and mean must be finite numbers");
  if (!(options.pad_value >= 0 && options.pad_value <= 255)) {
    fail(ErrorCode::invalid_argument, "Preprocess::pad_value is ", options.pad_value,
         "; it is a pixel value, 0 to 255");
  }
  if (options.resize_short < 0) {
    fail(ErrorCode::invalid_argument, "Preprocess::resize_short is ", options.resize_short,
         "; give 0 or the short side");
  }
  const Preprocess plain;
  const bool changes = options.scale != plain.scale || options.mean != plain.mean || options.std != plain.std;
  if (input.dtype == DType::uint8 && changes) {
    fail(ErrorCode::invalid_argument,
         "the network takes uint8 pixels, which scale, mean and std would not leave whole; leave them at 1, "
         "0 and 1");
  }
}

void preprocess_image(const Image& image, const Preprocess& options, const ImageInput& input, void* sample) {
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty (0 x 0 pixels)");
  const Canvas canvas = fit(image, options, input);
  if (input.dtype == DType::uint8) {
    write_sample(canvas, options, input, static_cast<std::uint8_t*>(sample));
  } else {
    write_sample(canvas, options, input, static_cast<float*>(sample));
  }
}

PictureMap map_image(Size image, const Preprocess& options, const ImageInput& input) {
  const double width = image.width, height = image.height;
  if (options.resize == ResizePolicy::letterbox) {
    const Region region = letterbox_region(image, input);
    return {static_cast<double>(region.x), static_cast<double>(region.y), width / region.width,
            height / region.height, image};
  }
  if (options.resize == ResizePolicy::short_side_crop) {
    const Size resized = resize_short_size(image, short_side(options, input));
    const Region region = center_crop_region(resized, {input.width, input.height});
    // The region, which may be smaller, fills the input.
    const double x = static_cast<double>(region.width) / input.width;
    const double y = static_cast<double>(region.height) / input.height;
    return {-region.x / x, -region.y / y, x * width / resized.width, y * height / resized.height, image};
  }
  return {0, 0, width / input.width, height / input.height, image};
}

}  // namespace mxinfer::api
