// Reads rows of objects from a detection network's outputs.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/vision/detections.h>

#include <vector>

#include "base/function_ref.h"
#include "vision/detect/landmark_rows.h"

namespace mxinfer::api {

/// The outputs as ids, scores and boxes of (batch, rows), from any of the known forms.
class DetectionRows {
 public:
  /// Throws Error(invalid_argument) if the outputs have none of the forms that ObjectDetector knows.
  DetectionRows(const Model& model, const std::vector<Tensor>& outputs);

  std::int64_t batch() const { return batch_; }
  std::int64_t count() const { return count_; }  ///< rows of each image
  /// The rows of an image whose id is an object's and that `takes`(id, score) accepts, in the network's order
  /// and units, without labels.
  std::vector<Detection> rows(std::int64_t image, FunctionRef<bool(int, float)> takes) const;

 private:
  void take_columns(const Model& model, const Tensor& rows);
  void take_outputs(const Model& model, const Tensor& ids, const Tensor& scores, const Tensor& boxes);

  const float* ids_ = nullptr;
  const float* scores_ = nullptr;
  const float* boxes_ = nullptr;
  std::int64_t batch_ = 0, count_ = 0;
  std::int64_t step_ = 1;      ///< elements from one id or score to the next
  std::int64_t box_step_ = 4;  ///< elements from one box to the next
  LandmarkRows landmarks_;
};

}  // namespace mxinfer::api
