// Reads maps of classes from a segmentation network's outputs.
#pragma once

#include <mxinfer/model.h>

#include <cstdint>
#include <vector>

#include "vision/segment/label_map.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument) if none of the model's outputs can be a map, as far as its signature says.
void reject_without_maps(const Model& model);

/// The output that is a map of classes. It borrows the tensors.
class SegmentOutputs {
 public:
  /// Throws Error(invalid_argument) if no output has a form that ImageSegmenter knows.
  SegmentOutputs(const Model& model, const std::vector<Tensor>& outputs);

  [[nodiscard]] std::int64_t batch() const { return map_->shape()[0]; }
  [[nodiscard]] std::int64_t height() const { return map_->shape()[map_->shape().rank() - 2]; }
  [[nodiscard]] std::int64_t width() const { return map_->shape()[map_->shape().rank() - 1]; }
  /// The label of each pixel of one image of the batch.
  [[nodiscard]] Image labels(std::int64_t image, const MapPlacement& placement,
                             const LabelMapOptions& options) const;

 private:
  [[nodiscard]] std::vector<std::uint8_t> indices(std::int64_t image) const;

  const Tensor* map_ = nullptr;
  bool has_scores_ = true;  ///< else positions in the labels
};

}  // namespace mxinfer::api
