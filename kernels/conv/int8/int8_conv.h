// Convolution of 8-bit data with 8-bit weights, whose products are summed in 32 bits:
//
//   sum[n][m][o] = bias[m] + sum over c, k of weight[m][c][k] * src[n][g * C + c][o * stride + k * dilate - pad]
//
// with the names of kernels/conv/conv.h, whose ConvProblem it takes. A sum becomes an element of dst by
//
//   x   = scale[m] * sum                                  as float32
//   dst = round(dst_factor * after(before(x) + residual_scale * residual[n][m][o]))
//
// where round() is kernels/int8/rounding.h's, or nothing for a dst of float32. This is the order in which
// oneDNN computes, and each operation rounds to float32 as there, so that results are MXNet's to the bit.
//
// src, dst and residual have the layout of the problem's src_layout: nchw is (N, C, spatial...), nhwc
// (N, spatial..., C), which the fast kernels want. weight is (M, channels / groups, kernel...). A product of
// matrices is a convolution with one position: channels is its depth.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"
#include "kernels/conv/conv.h"
#include "kernels/int8/int8_type.h"

namespace mxinfer::kernels {

struct Int8ConvArgs {
  ConvProblem problem;               ///< its type is not used
  Int8Type src_type = Int8Type::u8;  ///< s8, u8
  const void* src = nullptr;
  const std::int8_t* weight = nullptr;  ///< as packed by the implementation, or as stored if it has no pack()
  const std::int32_t* bias = nullptr;   ///< (M), or null
  const float* scale = nullptr;         ///< (M), or null: 1
  PostOps before;                       ///< the activation of x; its residual is not used
  Int8Type residual_type = Int8Type::u8;
  const void* residual = nullptr;  ///< like dst, or null
  float residual_scale = 1;
  PostOps after;         ///< the activation of the sum
  float dst_factor = 1;  ///< multiplies the result of `after`, before it is rounded
  Int8Type dst_type = Int8Type::u8;
  void* dst = nullptr;
};

/// One way to compute them.
struct Int8ConvImpl {
  const char* name = nullptr;
  /// Identifies the layout of packed weights; null if weights are read as stored.
  const char* packing = nullptr;
  std::size_t (*packed_bytes)(const ConvProblem&, Int8Type src) = nullptr;
  void (*pack)(const ConvProblem&, Int8Type src, const std::int8_t* weight, std::byte* packed) = nullptr;
  std::int64_t (*tasks)(const ConvProblem&) = nullptr;
  /// The scratch memory of one thread, 64-byte aligned.
  std::size_t (*scratch_bytes)(const ConvProblem&) = nullptr;
  void (*run)(const Int8ConvArgs&, std::int64_t begin, std::int64_t end, std::byte* scratch) = nullptr;
};

/// Plain loops: the specification. A task is one row of one filter of one image; with one position each, an
/// image.
const Int8ConvImpl& int8_conv_ref();

/// Of channels-last problems, with the fastest tile of this CPU (kernels/conv/int8/int8_tile.h). A target
/// other than ref.
const Int8ConvImpl& int8_conv_direct(Target target);
/// Of channels-last problems with one filter for each channel, in two dimensions. A target other than ref.
const Int8ConvImpl& int8_conv_depthwise(Target target);

/// The implementation to use on this CPU.
const Int8ConvImpl& select_int8_conv(const ConvProblem& problem, Int8Type src, Target target);

}  // namespace mxinfer::kernels
