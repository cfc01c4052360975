// Resizes images of uint8, float or double values, (height, width, channels) row-major, as MXNet 1.9.1 does
// (through OpenCV 3.4.2), to the last bit. Five forms:
//
//   copy          the same size
//   nearest       dst(y, x) = src(y_first[y], x_first[x])
//   taps          dst(y, x) = sum over j of y_weight[y][j] * (sum over i of x_weight[x][i] * src(yj, xi)),
//                 with xi = x_first[x] + i and yj = y_first[y] + j, both clamped into the image; 2 taps for
//                 linear, 4 for cubic, 8 for Lanczos. Rows are summed first. uint8 uses weights of 11 bits
//                 after the point: linear drops 4 and then 16 bits of each product and rounds by + 2 >> 2;
//                 Lanczos adds one half and drops 22 bits; cubic is a float sum rounded to even in groups of
//                 8 values, and as Lanczos in the rest of a row.
//   area_integer  dst = mean of blocks of scale_y x scale_x pixels, if both ratios are whole numbers
//   area          dst(y, x) = weighted sum of the pixels that it covers, in float (double for double)
//
//   ResizeKernel<std::uint8_t> kernel = select_resize_u8(args, target);
//   kernel.run(args, src, dst, 0, args.shape.dst_height, scratch);
//
// The destination may be a window of the resized image: the tables then begin at the window's first column
// and row, and cubic_float_end and pairs_end are still those of the whole image.
//
// Preconditions: every size is at least 1; src and dst do not overlap; the tables are as stated below;
// scratch has resize_scratch_bytes() and is used by one call at a time. A row's values do not depend on which
// rows a call computes.
#pragma once

#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

struct ResizeShape {
  std::int64_t src_height;
  std::int64_t src_width;
  std::int64_t dst_height;
  std::int64_t dst_width;
  std::int64_t channels;
};

enum class ResizeForm : std::uint8_t { copy, nearest, taps, area_integer, area };

/// One source row or column that a destination row or column covers.
struct ResizeShare {
  std::int32_t dst;
  std::int32_t src;
  float weight;
};

/// Tables are borrowed and only read; those of other forms are null.
struct ResizeArgs {
  ResizeShape shape;
  ResizeForm form;
  /// Values from a source row to the next: src_width * channels, or more if the source is a window.
  std::int64_t src_stride;

  // nearest and taps: a source index for each destination column and row. nearest: inside the image; taps:
  // the first tap, which may lie outside.
  const std::int32_t* x_first;
  const std::int32_t* y_first;

  // taps: `taps` weights for each destination column and row, as int16 (times 2048) for uint8, else as float.
  int taps;
  const std::int16_t* x_weight_fixed;
  const std::int16_t* y_weight_fixed;
  const float* x_weight;
  const float* y_weight;
  // taps: columns [x_inner_begin, x_inner_end) have all their taps inside the image.
  std::int64_t x_inner_begin;
  std::int64_t x_inner_end;
  // taps, cubic of uint8: values [0, cubic_float_end) of a row are rounded as floats.
  std::int64_t cubic_float_end;

  // area_integer: pixels in a block.
  std::int32_t x_scale;
  std::int32_t y_scale;
  // area_integer, float blocks of two by two: pixels [0, pairs_end) of a row are summed in pairs.
  std::int64_t pairs_end;

  // area: the shares of all columns, and of all rows with those of row y at [y_share_begin[y],
  // y_share_begin[y + 1]).
  const ResizeShare* x_share;
  std::int64_t x_share_count;
  const ResizeShare* y_share;
  const std::int64_t* y_share_begin;  // dst_height + 1 of them
};

/// Computes destination rows [row_begin, row_end). src is the whole image, dst begins with row row_begin;
/// rows are dense.
template <typename T>
struct ResizeKernel {
  const char* name;  ///< such as "resize_linear_u8"
  Target target;     ///< whose instructions it uses; ref for the plain kernel
  void (*run)(const ResizeArgs& args, const T* src, T* dst, std::int64_t row_begin, std::int64_t row_end,
              void* scratch);
};

/// Bytes of scratch for one call, aligned to 64; `element_bytes` is sizeof(T).
std::int64_t resize_scratch_bytes(const ResizeArgs& args, std::int64_t element_bytes);

ResizeKernel<std::uint8_t> select_resize_u8(const ResizeArgs& args, Target target);
ResizeKernel<float> select_resize_f32(const ResizeArgs& args, Target target);
ResizeKernel<double> select_resize_f64(const ResizeArgs& args, Target target);

}  // namespace mxinfer::kernels
