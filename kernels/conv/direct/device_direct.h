// Convolutions with few filters to a group on a GPU, depthwise ones first of all: each thread sums its
// outputs by itself. As GEMM, most columns of a tile would be empty.
//
//   DirectConv direct = direct_conv(device_conv(problem, Direction::forward, SrcLayout::nhwc), multiprocessors);
//   pack_direct_conv(direct, weight, packed);                            // packed_elements(direct) floats
//   direct.src = ...;                                                    // device addresses
//   cuda::direct_conv(direct, stream);
#pragma once

#include <cstdint>

#include "kernels/conv/device_conv.h"

namespace mxinfer::kernels {

enum class DirectKind : std::uint8_t {
  scalar,             ///< an output to a thread; any problem, forward and transposed, in any layout
  group_vectors,      ///< filters of a group or two, 16 bytes of them
  depthwise_vectors,  ///< 16 bytes of channels, each of which is a group with one filter
  depthwise_tiles     ///< the same of common filters, with a block's part of src in shared memory
};

struct DirectConv : DeviceConv {
  DirectKind kind = DirectKind::scalar;
  int row_positions = 1;  ///< how many of a row a thread has: 1, or 4, which share weights
};

/// Whether a GEMM would be slower.
bool is_direct(const DeviceConv& conv);

/// Whether the kernels have tiles for filters of such sizes: 3 x 3 and 5 x 5, with stride 1 or 2.
bool has_depthwise_tiles(const DeviceConv& conv);

/// Without addresses.
DirectConv direct_conv(const DeviceConv& conv, int multiprocessors);

/// Weights are packed as float32 (taps, channels of a group, filters of all groups), so that neighbouring
/// threads read neighbours.
constexpr std::int64_t packed_elements(const DirectConv& c) {
  return static_cast<std::int64_t>(c.taps()) * c.channels * c.epilogue.filters;
}
/// Which stored weight is element i of the packed ones.
constexpr std::int64_t stored_weight_of(const DirectConv& c, std::int64_t i) {
  const auto m = static_cast<int>(i % c.epilogue.filters);
  const std::int64_t k = i / c.epilogue.filters;
  const auto channel = static_cast<int>(k % c.channels), tap = static_cast<int>(k / c.channels);
  const int of_kernel[3] = {tap / (c.kernel[1] * c.kernel[2]), tap / c.kernel[2] % c.kernel[1],
                            tap % c.kernel[2]};
  return stored_weight(c, m / c.filters, channel, m % c.filters, of_kernel);
}
/// `weight` is as of pack_implicit_gemm().
void pack_direct_conv(const DirectConv& direct, const float* weight, float* packed);

}  // namespace mxinfer::kernels
