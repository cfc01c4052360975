#include "vision/detect/landmark_rows.h"

#include "base/fail.h"

namespace mxinfer::api {

LandmarkRows::LandmarkRows(const Tensor* output, const Shape& rows) {
  if (output == nullptr) return;
  const Shape& shape = output->shape();
  const bool fits = output->dtype() == DType::float32 && shape.rank() == 3 && shape[0] == rows[0] &&
                    shape[1] == rows[1] && shape[2] % 2 == 0;
  if (!fits) {
    fail(ErrorCode::invalid_argument, "the output of landmarks is ", to_string(output->dtype()), " ",
         to_string(shape), "; expected float32 (", rows[0], ", ", rows[1],
         ", 2 k), x and y of k points for each row of the boxes");
  }
  points_ = output->data<float>();
  width_ = shape[2];
}

std::vector<Point> LandmarkRows::of(std::int64_t row) const {
  std::vector<Point> points;
  for (std::int64_t i = 0; i < width_; i += 2) {
    const float* point = points_ + row * width_ + i;
    points.push_back({point[0], point[1]});
  }
  return points;
}

}  // namespace mxinfer::api
