// Boxes and their intersections as in overlap-inl.h, on a GPU, with the same rounding: a different last bit
// may decide which of two boxes is kept.
#pragma once

#include "kernels/boxes/overlap-inl.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// As corner_box().
__device__ __forceinline__ CornerBox<float> box_of_numbers(const float* box, BoxFormat format) {
  const float a = box[0], b = box[1], c = box[2], d = box[3];
  const bool corner = format == BoxFormat::corner;
  const float width = corner ? simt::sub_rn(c, a) : c, height = corner ? simt::sub_rn(d, b) : d;
  const float area = width < 0 || height < 0 ? 0.0f : simt::mul_rn(width, height);
  if (corner) return {a, b, c, d, area};
  const float half_width = simt::mul_rn(c, 0.5f), half_height = simt::mul_rn(d, 0.5f);
  return {simt::sub_rn(a, half_width), simt::sub_rn(b, half_height), simt::add_rn(a, half_width),
          simt::add_rn(b, half_height), area};
}

/// As shared_length(), whose result a product may follow.
__device__ __forceinline__ float common_length(float a1, float a2, float b1, float b2, float more) {
  const float length = simt::add_rn(simt::sub_rn(a2 < b2 ? a2 : b2, a1 > b1 ? a1 : b1), more);
  return length > 0 ? length : 0.0f;
}

/// As shared_area().
__device__ __forceinline__ float common_area(const CornerBox<float>& a, const CornerBox<float>& b,
                                             float more) {
  return simt::mul_rn(common_length(a.x1, a.x2, b.x1, b.x2, more),
                      common_length(a.y1, a.y2, b.y1, b.y2, more));
}

/// a + b - shared
__device__ __forceinline__ float area_of_union(float a, float b, float shared) {
  return simt::sub_rn(simt::add_rn(a, b), shared);
}

}  // namespace mxinfer::kernels::cuda
