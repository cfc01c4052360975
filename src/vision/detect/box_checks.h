// Checks of boxes before they are used.
#pragma once

#include <mxinfer/vision/detections.h>

#include <cmath>

namespace mxinfer::api {

inline bool is_finite(const Box& box) {
  return std::isfinite(box.left) && std::isfinite(box.top) && std::isfinite(box.right) &&
         std::isfinite(box.bottom);
}

inline bool has_area(const Box& box) {
  return box.right > box.left && box.bottom > box.top;
}

}  // namespace mxinfer::api
