// Convolution of 1, 2 or 3 spatial dimensions (depth, height, width; the leading ones are 1 where there are
// fewer):
//
//   dst[n][m][o] = activation(bias[m] + residual[n][m][o]
//                             + sum over c, k of weight[m][c][k] * src[n][g * C + c][o * stride + k * dilate
//                             - pad])
//
// with g = m / (M / groups) the group of filter m, C = channels / groups, o and k over all spatial
// dimensions, and src zero, or border[c], outside its bounds. All arrays are dense and row-major with width
// innermost; weight is (M, channels / groups, kernel...).
//
// A row of the family's table computes a range of tasks. A task writes an area of dst of its own, and each
// element of dst is summed in an order that depends on the shape only: the result is the same however the
// tasks are dealt out.
//
//   const ConvKernel& kernel = select_conv_nhwc(shape, source, target, &reason);
//   kernel.run(args, 0, kernel.tasks(shape), scratch);   // scratch: kernel.scratch_elements(shape) floats
#pragma once

#include <array>
#include <cstdint>

#include "kernels/common/epilogue.h"
#include "kernels/common/target.h"
#include "kernels/common/work.h"

namespace mxinfer::kernels {

/// Depth, height, width.
using Spatial = std::array<std::int64_t, 3>;

constexpr std::int64_t volume(const Spatial& s) {
  return s[0] * s[1] * s[2];
}

/// Preconditions: every size at least 1 (pad at least 0), channels and filters multiples of groups, and
/// output = (input + 2 * pad - dilate * (kernel - 1) - 1) / stride + 1.
struct ConvShape {
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  Spatial input{1, 1, 1}, output{1, 1, 1};
  Spatial kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, dilate{1, 1, 1};
  /// How many tasks to cut the work into, roughly, at the price of work that is done twice. It changes no
  /// result.
  std::int64_t wanted_tasks = 16;

  std::int64_t group_channels() const { return channels / groups; }
  std::int64_t group_filters() const { return filters / groups; }
  /// The length of the sum behind one element of dst.
  std::int64_t depth() const { return group_channels() * volume(kernel); }
  std::int64_t weight_elements() const { return filters * depth(); }
};

template <typename T>
struct ConvArgs {
  ConvShape shape;
  Epilogue epilogue;
  const T* src = nullptr;
  const T* weight = nullptr;    ///< as the row's pack() left it, or as stored where it has none
  const T* bias = nullptr;      ///< (M), or null
  const T* residual = nullptr;  ///< like dst, or null; no part of dst
  /// (channels): what src is outside its bounds, or null: zeros. Rows of the channels-last kernels read it, but for
  /// conv_nhwc_depthwise.
  const T* border = nullptr;
  /// (M): what sums that are not positive are multiplied by, in place of the epilogue, or null. Rows of
  /// kernels/conv_nhwc alone read it.
  const T* slopes = nullptr;
  T* dst = nullptr;
  /// Elements from one position of src and of dst to the next, where they lie between other channels; 0:
  /// channels and M. Rows of kernels/conv_nhwc alone read them, that of src where it is channels-last.
  std::int64_t src_stride = 0, dst_stride = 0;

  std::int64_t src_step() const { return src_stride != 0 ? src_stride : shape.channels; }
  std::int64_t dst_step() const { return dst_stride != 0 ? dst_stride : shape.filters; }
};

/// A row of the table.
template <typename T>
struct ConvRow {
  const char* name;
  /// Identifies the layout of packed weights; nullptr where the row reads them as stored.
  const char* packing;
  std::int64_t (*packed_elements)(const ConvShape&);
  void (*pack)(const ConvShape&, const T* weight, T* packed);
  std::int64_t (*tasks)(const ConvShape&);
  /// Memory a thread needs while it runs tasks.
  std::int64_t (*scratch_elements)(const ConvShape&);
  void (*run)(const ConvArgs<T>&, std::int64_t begin, std::int64_t end, T* scratch);
  /// What it does on a shape, for predictions; nullptr where nobody chooses by it.
  Work (*work)(const ConvShape&) = nullptr;
};

using ConvKernel = ConvRow<float>;

/// Plain loops that sum in double, channels-first: the specification of the others, and what runs other
/// dtypes. T: float, double.
template <typename T>
const ConvRow<T>& conv_ref();

/// Whether Winograd's algorithm computes the shape: 3 x 3 filters of stride 1 over one group, in two
/// dimensions.
constexpr bool is_winograd(const ConvShape& shape) {
  return shape.groups == 1 && shape.kernel == Spatial{1, 3, 3} && shape.stride == Spatial{1, 1, 1} &&
         shape.dilate == Spatial{1, 1, 1} && shape.pad[0] == 0 && shape.input[0] == 1;
}
inline constexpr std::int64_t kMaxDepthwiseWidth = 64;
/// Whether each group has one input channel, in at most two spatial dimensions, and a filter of moderate
/// size.
constexpr bool is_depthwise(const ConvShape& shape) {
  return shape.groups > 1 && shape.groups == shape.channels && shape.input[0] == 1 && shape.kernel[0] == 1 &&
         shape.output[0] == 1 && shape.kernel[1] <= kMaxDepthwiseWidth &&
         shape.kernel[2] <= kMaxDepthwiseWidth;
}

}  // namespace mxinfer::kernels
