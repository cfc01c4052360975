// Reads points from a key-point network's heat maps.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/vision/pose.h>

#include <cstdint>
#include <vector>

namespace mxinfer::api {

/// Throws Error(invalid_argument) if none of the model's outputs can be heat maps, as far as its signature
/// says.
void reject_without_heat_maps(const Model& model);

/// The output that is heat maps. It borrows the tensors.
class HeatMaps {
 public:
  /// Throws Error(invalid_argument) if there is none.
  HeatMaps(const Model& model, const std::vector<Tensor>& outputs);

  [[nodiscard]] std::int64_t batch() const { return maps_->shape()[0]; }
  /// The points of one image of the batch, by where the largest element of their maps is, in parts of the
  /// maps' sides: x of 0 is the first column, the last is 1 - 1 / columns. NaN is never the largest; if a map
  /// has only NaN, its point is at NaN. Without labels.
  [[nodiscard]] std::vector<Keypoint> points(std::int64_t image, HeatMapPeak peak) const;

 private:
  const Tensor* maps_ = nullptr;
};

}  // namespace mxinfer::api
