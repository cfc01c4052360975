// Anchors of a single shot detector: for each pixel of a feature map, boxes of several sizes and aspect
// ratios around its center, as corners in units of the image.
//
//   center = ((column + offset x) * step x, (row + offset y) * step y)
//   height = size / sqrt(ratio), width = size * sqrt(ratio) * rows / columns
// for every size with the first ratio, then for every other ratio with the first size.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

struct MultiBoxPriorArgs {
  float* dst = nullptr;  ///< [rows][columns][boxes()][4]
  std::int64_t rows = 0, columns = 0;
  const float* sizes = nullptr;
  std::int64_t size_count = 1;
  const float* ratios = nullptr;
  std::int64_t ratio_count = 1;
  float step_y = 0, step_x = 0;
  float offset_y = 0.5f, offset_x = 0.5f;
  bool clip = false;  ///< coordinates to [0, 1]

  std::int64_t boxes() const { return size_count + ratio_count - 1; }
};

void multibox_prior(const MultiBoxPriorArgs& args);

}  // namespace mxinfer::kernels
