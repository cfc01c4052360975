// DeviceConv: what the kernels of a GPU are told of a convolution or a transposed convolution. Values are of
// one FloatType; bias and slopes are float32.
//
//   DeviceConv conv = device_conv(problem, Direction::forward, SrcLayout::nhwc);
//   conv.src = ...;                                                       // device addresses
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/common/post_ops.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

enum class Direction : std::uint8_t { forward, transposed };

/// What is done to a sum at a position of the output.
struct ConvEpilogue {
  PostOps post_ops;
  const float* bias = nullptr;     ///< (filters), or null
  const void* residual = nullptr;  ///< like dst, or null
  bool adds_last = false;          ///< the residual behind the activation, which is piecewise linear
  const float* slopes = nullptr;   ///< (filters): those of PReLU, or null
  void* dst = nullptr;
  /// Elements of dst from one image, position and filter to the next.
  std::int64_t dst_image = 0, dst_filter = 0, dst_position = 0;
  std::int64_t positions = 0;  ///< of an image
  std::int64_t filters = 0;    ///< of all groups

  /// Whether the filters of a position lie one behind another, and positions dst_position apart.
  constexpr bool is_channels_last() const { return dst_filter == 1; }
};

/// All sizes but those of whole arrays fit into an int.
struct DeviceConv {
  FloatType type = FloatType::float32;  ///< of src, border, residual and dst
  const void* src = nullptr;
  const void* weight = nullptr;  ///< packed, as the kernel has it
  const void* border = nullptr;  ///< (channels): the values of src outside its bounds; null: zeros
  ConvEpilogue epilogue;

  bool transposed = false;
  int batch = 0, groups = 1, channels = 0, filters = 0;  ///< channels and filters of a group
  int input[3]{}, output[3]{}, kernel[3]{}, stride[3]{}, pad[3]{}, dilate[3]{};
  /// Elements of src from one image, position and channel to the next.
  std::int64_t src_image = 0;
  int src_position = 0, src_channel = 0;

  constexpr int taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  constexpr std::int64_t output_elements() const { return batch * epilogue.positions * epilogue.filters; }
};

/// Why the kernels do not take a problem (sizes that do not fit), or null.
const char* device_conv_rejects(const ConvProblem& problem);

/// Without addresses. src is as the problem's src_layout says; dst, and the residual, are channels-first if
/// `dst_layout` is nchw. Precondition: device_conv_rejects() is null.
DeviceConv device_conv(const ConvProblem& problem, Direction direction, SrcLayout dst_layout,
                       FloatType type = FloatType::float32);

/// What the kernels count is less: elements of an image from its first to its last, positions, sizes.
inline constexpr std::int64_t kMostConvElements = std::int64_t{1} << 30;

/// Sets how far rows of channels-last src and dst lie apart, in elements from a position to the next; 0: as
/// they are. Preconditions: images have less than kMostConvElements then; without a residual, which is dense,
/// if dst is given one.
void set_row_strides(std::int64_t src, std::int64_t dst, DeviceConv* conv);

/// The index of a weight as stored: channel and filter count within the group. `tap` is of the kernel.
constexpr std::int64_t stored_weight(const DeviceConv& g, int group, int channel, int filter,
                                     const int (&tap)[3]) {
  const std::int64_t taps = static_cast<std::int64_t>(g.kernel[0]) * g.kernel[1] * g.kernel[2];
  const std::int64_t at = (static_cast<std::int64_t>(tap[0]) * g.kernel[1] + tap[1]) * g.kernel[2] + tap[2];
  if (!g.transposed)
    return ((static_cast<std::int64_t>(group) * g.filters + filter) * g.channels + channel) * taps + at;
  return ((static_cast<std::int64_t>(group) * g.channels + channel) * g.filters + filter) * taps + at;
}

}  // namespace mxinfer::kernels
