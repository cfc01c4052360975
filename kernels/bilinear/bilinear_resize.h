// Bilinear resizing of feature maps, of p = batch * channels planes (kernels/resize is for images):
//
//   dst[p][y][x] = (1 - v) * (w0 * src[p][i][j] + w1 * src[p][i][j'])
//                +      v  * (w0 * src[p][i'][j] + w1 * src[p][i'][j'])
//
// with (i, v) the tap of row y and i' = i + 1, (j, w1) the tap of column x and w0 = 1 - w1; the last row and
// column are their own neighbours. Each operation is rounded to T, Float16 too.
//
//   std::vector<BilinearTap> rows(out_h), columns(out_w);
//   fill_bilinear_taps(in_h, align_corners, rows.data(), out_h);
//   fill_bilinear_taps(in_w, align_corners, columns.data(), out_w);
//   const BilinearResizeArgs args{planes, in_h, in_w, out_h, out_w, rows.data(), columns.data()};
//   bilinear_resize<float>(args, src, dst, scratch, 0, planes * out_h);
#pragma once

#include <cstdint>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

/// A place between two neighbours: the first of them, and the share of the second.
struct BilinearTap {
  std::int64_t first = 0;
  std::int64_t next = 0;  ///< first + 1, or first if that is the last
  float share = 0;
};

/// The taps of `out` places over `in` of them. align_corners: the first and last places of both coincide;
/// otherwise places are the middles of equal parts, and one below 0 is 0. Precondition: in >= 1.
void fill_bilinear_taps(std::int64_t in, bool align_corners, BilinearTap* taps, std::int64_t out);

/// Preconditions: sizes at least 1; rows and columns hold out_height and out_width taps.
struct BilinearResizeArgs {
  std::int64_t planes = 0;
  std::int64_t in_height = 0, in_width = 0, out_height = 0, out_width = 0;
  const BilinearTap* rows = nullptr;
  const BilinearTap* columns = nullptr;
};

/// Elements of T of scratch for one call.
inline std::int64_t bilinear_scratch_elements(std::int64_t out_width) {
  return 2 * out_width;
}

/// Computes rows [begin, end) of dst: row p * out_height + y. T: float, double, Float16.
template <typename T>
void bilinear_resize(const BilinearResizeArgs& args, const T* src, T* dst, T* scratch, std::int64_t begin,
                     std::int64_t end);

}  // namespace mxinfer::kernels
