#include "retinaface/input_image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace retinaface {
namespace {

int next_multiple_of_32(int side) {
  return (side + 31) / 32 * 32;
}

/// The length of a side of the image at that scale.
int scaled(int side, double scale) {
  return std::max(1, static_cast<int>(std::lround(side * scale)));
}

}  // namespace

Input prepare(const mxinfer::Image& image, int long_side) {
  const double scale = static_cast<double>(long_side) / std::max(image.width(), image.height());
  Input input;
  input.image = image.size();
  input.resized = {scaled(image.width(), scale), scaled(image.height(), scale)};
  const mxinfer::Image resized = mxinfer::resize_image(image, input.resized.width, input.resized.height);

  const int height = next_multiple_of_32(resized.height()), width = next_multiple_of_32(resized.width());
  input.tensor = mxinfer::Tensor(mxinfer::DType::float32, {1, 3, height, width});
  float* plane = input.tensor.data<float>();
  for (int channel = 0; channel < 3; ++channel, plane += static_cast<std::ptrdiff_t>(height) * width) {
    const std::uint8_t* pixel = resized.pixels().data() + channel;
    for (int y = 0; y < resized.height(); ++y) {
      for (int x = 0; x < resized.width(); ++x, pixel += 3)
        plane[static_cast<std::ptrdiff_t>(y) * width + x] = static_cast<float>(*pixel);
    }
  }
  return input;
}

faces::Face to_image(const faces::Face& face, const Input& input) {
  // The resized sides are whole numbers, so x and y have different scales.
  const auto width = static_cast<float>(input.image.width), height = static_cast<float>(input.image.height);
  const float to_x = width / static_cast<float>(input.resized.width);
  const float to_y = height / static_cast<float>(input.resized.height);
  faces::Face result = face;
  result.box = {std::clamp(face.box.left * to_x, 0.0f, width), std::clamp(face.box.top * to_y, 0.0f, height),
                std::clamp(face.box.right * to_x, 0.0f, width),
                std::clamp(face.box.bottom * to_y, 0.0f, height)};
  for (mxinfer::Point& point : result.landmarks) point = {point.x * to_x, point.y * to_y};
  return result;
}

}  // namespace retinaface
