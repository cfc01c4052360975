#include "vision/images/preprocessing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/fail.h"
#include "compose/number_text.h"
#include "image/letterbox.h"

namespace mxinfer::api {
namespace {

// "(a, b)", as MXNet's attributes have it.
std::string pair_text(int a, int b) {
  return concat("(", a, ", ", b, ")");
}

// As double, so that its shortest text reads back as the same float.
std::string exact_text(float value) {
  return number_text(static_cast<double>(value));
}

std::string channels_text(const std::array<float, 3>& values, int channels) {
  if (channels == 1) return concat("(", exact_text(values[0]), ",)");
  return concat("(", exact_text(values[0]), ", ", exact_text(values[1]), ", ", exact_text(values[2]), ")");
}

int short_side(const Preprocess& options, const ImageInput& input) {
  if (options.resize_short > 0) return options.resize_short;
  return static_cast<int>(std::lround(std::min(input.width, input.height) * (256.0 / 224.0)));
}

// From any size to the network's.
void add_geometry(const Preprocess& options, const ImageInput& input, std::vector<Transform>& transforms) {
  const std::string size = pair_text(input.width, input.height);
  const std::string interp = std::to_string(static_cast<int>(options.interpolation));
  switch (options.resize) {
    case ResizePolicy::stretch:
      transforms.push_back({"_image_resize", {{"size", size}, {"interp", interp}}});
      break;
    case ResizePolicy::short_side_crop:
      transforms.push_back({"_mxinfer_resize_short",
                            {{"size", std::to_string(short_side(options, input))}, {"interp", interp}}});
      transforms.push_back({"_mxinfer_center_crop", {{"size", size}, {"interp", interp}}});
      break;
    case ResizePolicy::letterbox:
      // Pixels are whole numbers.
      transforms.push_back({"_mxinfer_letterbox",
                            {{"size", size},
                             {"value", std::to_string(static_cast<int>(options.pad_value))},
                             {"nearest", "True"},
                             {"interp", interp}}});
      break;
  }
}

// (pixel * scale - mean) / std, without steps that change nothing.
void add_arithmetic(const Preprocess& options, const ImageInput& input, std::vector<Transform>& transforms) {
  const Preprocess plain;
  transforms.push_back({"Cast", {{"dtype", "float32"}}});
  if (options.scale != plain.scale)
    transforms.push_back({"_mul_scalar", {{"scalar", exact_text(options.scale)}}});
  if (options.mean == plain.mean && options.std == plain.std) return;
  // _image_normalize takes channels first.
  transforms.push_back({"transpose", {{"axes", "(0, 3, 1, 2)"}}});
  transforms.push_back({"_image_normalize",
                        {{"mean", channels_text(options.mean, input.channels)},
                         {"std", channels_text(options.std, input.channels)}}});
  transforms.push_back({"transpose", {{"axes", "(0, 2, 3, 1)"}}});
}

}  // namespace

void check_preprocess(const Preprocess& options, const ImageInput& input) {
  for (float s : options.std) {
    if (s == 0 || !std::isfinite(s))
      fail(ErrorCode::invalid_argument, "Preprocess::std holds ", s,
           "; channels are divided by it, so give finite numbers other than 0");
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
  const auto policy = static_cast<int>(options.resize);
  if (policy < 0 || policy > static_cast<int>(ResizePolicy::letterbox))
    fail(ErrorCode::invalid_argument, "Preprocess::resize is ", policy, ", which is not a policy");
  const auto interpolation = static_cast<int>(options.interpolation);
  if (interpolation < 0 || interpolation > static_cast<int>(Interpolation::lanczos4)) {
    fail(ErrorCode::invalid_argument, "Preprocess::interpolation is ", interpolation,
         ", which is not an interpolation");
  }
  const Preprocess plain;
  const bool changes = options.scale != plain.scale || options.mean != plain.mean || options.std != plain.std;
  if (input.dtype == DType::uint8 && changes) {
    fail(ErrorCode::invalid_argument,
         "the network takes uint8 pixels, but scale, mean and std would make fractions of them; leave them "
         "at 1, 0 and 1");
  }
}

std::vector<Transform> transforms_of(const Preprocess& options, const ImageInput& input) {
  std::vector<Transform> transforms;
  add_geometry(options, input, transforms);
  const char* colors = options.color == ColorOrder::bgr ? "bgr" : "rgb";
  transforms.push_back({"_mxinfer_convert_color", {{"code", input.channels == 1 ? "gray" : colors}}});
  if (takes_floats(input.dtype)) add_arithmetic(options, input, transforms);
  if (input.dtype == DType::float16) transforms.push_back({"Cast", {{"dtype", "float16"}}});
  if (!input.channels_last) transforms.push_back({"transpose", {{"axes", "(0, 3, 1, 2)"}}});
  return transforms;
}

Shape batch_shape(const ImageInput& input, std::int64_t count) {
  return input.channels_last ? Shape{count, input.height, input.width, input.channels}
                             : Shape{count, input.channels, input.height, input.width};
}

ImageMap map_image(Size source, const Preprocess& options, const ImageInput& input) {
  const double width = source.width, height = source.height;
  if (options.resize == ResizePolicy::letterbox) {
    const Region region = image::letterbox_region(source, {input.width, input.height});
    return {static_cast<double>(region.x), static_cast<double>(region.y), width / region.width,
            height / region.height, source};
  }
  if (options.resize == ResizePolicy::short_side_crop) {
    const Size resized = resize_short_size(source, short_side(options, input));
    const Region region = center_crop_region(resized, {input.width, input.height});
    // The region, which may be smaller, fills the input.
    const double x = static_cast<double>(region.width) / input.width;
    const double y = static_cast<double>(region.height) / input.height;
    return {-region.x / x, -region.y / y, x * width / resized.width, y * height / resized.height, source};
  }
  return {0, 0, width / input.width, height / input.height, source};
}

}  // namespace mxinfer::api
