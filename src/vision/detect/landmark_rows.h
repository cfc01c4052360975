// The landmarks of a detection network's rows.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/vision/detections.h>

#include <vector>

namespace mxinfer::api {

/// An output of float32 (batch, rows, 2 k): x, y of k points of each row; or none.
class LandmarkRows {
 public:
  LandmarkRows() = default;
  /// `output` is null if a model has no landmarks; `rows` is (batch, rows). Throws Error(invalid_argument)
  /// for other dtypes and shapes. The output is borrowed.
  LandmarkRows(const Tensor* output, const Shape& rows);

  /// The landmarks of row batch * rows + r; empty if there are none.
  std::vector<Point> of(std::int64_t row) const;

 private:
  const float* points_ = nullptr;
  std::int64_t width_ = 0;  ///< numbers of a row
};

}  // namespace mxinfer::api
