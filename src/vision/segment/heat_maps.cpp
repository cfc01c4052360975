#include "vision/segment/heat_maps.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

constexpr const char* kExpectedHeatMaps = "expected heat maps, float32 (batch, points, height, width)";

/// -1, 0 or 1.
float sign_of(float value) {
  return static_cast<float>(value > 0) - static_cast<float>(value < 0);
}

Keypoint peak_of(const float* map, std::int64_t height, std::int64_t width, HeatMapPeak peak) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const float* best = nullptr;
  for (const float* at = map; at != map + height * width; ++at) {
    if (best == nullptr ? *at == *at : *at > *best) best = at;
  }
  if (best == nullptr) return {kNaN, kNaN, kNaN, {}};
  const std::int64_t x = (best - map) % width, y = (best - map) / width;
  auto left = static_cast<float>(x), top = static_cast<float>(y);
  // GluonCV moves no point of the two outer columns and rows.
  const bool is_inside = x > 1 && x < width - 1 && y > 1 && y < height - 1;
  if (peak == HeatMapPeak::quarter && is_inside) {
    left += 0.25f * sign_of(best[1] - best[-1]);
    top += 0.25f * sign_of(best[width] - best[-width]);
  }
  return {left / static_cast<float>(width), top / static_cast<float>(height), *best, {}};
}

}  // namespace

void reject_without_heat_maps(const Model& model) {
  std::string shapes;
  for (const DataDesc& output : model.signature().outputs) {
    if (output.shape.rank() == 0 || output.shape.rank() == 4) return;
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output));
  }
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives no key points: it gives ",
       shapes, "; ", kExpectedHeatMaps);
}

HeatMaps::HeatMaps(const Model& model, const std::vector<Tensor>& outputs) {
  std::string shapes;
  for (const Tensor& output : outputs) {
    const Shape& shape = output.shape();
    if (output.dtype() == DType::float32 && shape.rank() == 4 && shape.elements() > 0) {
      maps_ = &output;
      return;
    }
    shapes += concat(shapes.empty() ? "" : ", ", to_string(output.dtype()), " ", to_string(shape));
  }
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' gives ", shapes, "; ",
       kExpectedHeatMaps);
}

std::vector<Keypoint> HeatMaps::points(std::int64_t image, HeatMapPeak peak) const {
  const std::int64_t count = maps_->shape()[1], height = maps_->shape()[2], width = maps_->shape()[3];
  std::vector<Keypoint> points;
  for (std::int64_t point = 0; point < count; ++point) {
    const float* map = maps_->data<float>() + (image * count + point) * height * width;
    points.push_back(peak_of(map, height, width, peak));
  }
  return points;
}

}  // namespace mxinfer::api
