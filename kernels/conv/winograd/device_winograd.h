// 3 x 3 filters of stride 1 on a GPU by Winograd's minimal filtering, float32: inputs are transformed, one
// GEMM for each of the tile's points multiplies them with transformed weights, and the sums are transformed
// back (winograd_points-inl.h has the algorithm).
//
//   DeviceWinograd conv = device_winograd(device_conv(problem, Direction::forward, SrcLayout::nhwc), 4, gpu);
//   pack_device_winograd(conv, weight, packed);                           // packed_elements(conv) floats
//   conv.src = ...;  conv.scratch = ...;                                  // device addresses
//   cuda::winograd_conv(conv, stream);
//
// What the GEMMs read and write is several times as large as the images: of many tiles, some at a time are
// computed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/conv/device_conv.h"
#include "kernels/gemm/gemm_cuda.h"

namespace mxinfer::kernels {

struct DeviceWinograd : DeviceConv {
  float* scratch = nullptr;   ///< scratch_bytes(), 16-byte aligned
  int outputs = 4;            ///< of a tile in each direction: 4 or 2
  int rows = 0, columns = 0;  ///< tiles of an image
  std::int64_t slice = 0;     ///< tiles that are computed at a time, counted through all images
  int padded_channels = 0, padded_filters = 0;  ///< rounded up to whole vectors
  cuda::GemmPlan gemm{};                        ///< of a slice

  constexpr int side() const { return outputs + 2; }  ///< of the inputs of a tile
  constexpr int points() const { return side() * side(); }
  constexpr std::int64_t tiles() const { return static_cast<std::int64_t>(batch) * rows * columns; }
  /// Floats of the transformed inputs, and of the sums, of a slice.
  constexpr std::int64_t input_elements() const { return points() * slice * padded_channels; }
  constexpr std::int64_t sum_elements() const { return points() * slice * padded_filters; }
  constexpr std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(input_elements() + sum_elements()) * sizeof(float) + gemm.scratch_bytes;
  }
};

/// What inputs and sums of a slice may take of scratch memory.
inline constexpr std::size_t kMostWinogradScratch = std::size_t{256} << 20;

/// Why the kernels do not compute a convolution, or null.
const char* device_winograd_rejects(const DeviceConv& conv);

/// Without addresses, in tiles of outputs x outputs. Slices take no more than `most_scratch` bytes, but for
/// those of one tile. Precondition: device_winograd_rejects() is null.
DeviceWinograd device_winograd(const DeviceConv& conv, int outputs, const cuda::GemmGpu& gpu,
                               std::size_t most_scratch = kMostWinogradScratch);

/// The products of so many tiles, a matrix for each point, without addresses.
inline cuda::GemmArgs winograd_products(const DeviceWinograd& w, std::int64_t tiles) {
  cuda::GemmArgs args;
  args.rows = tiles;
  args.columns = args.dst_row = args.b.depth = w.padded_filters;
  args.depth = w.channels;
  args.inner = w.points();
  args.a.row = w.padded_channels;
  args.a.inner = w.slice * w.padded_channels;
  args.b.row = 1;
  args.b.inner = static_cast<std::int64_t>(w.channels) * w.padded_filters;
  args.dst_inner = w.slice * w.padded_filters;
  return args;
}

/// Packed weights: (points, channels, padded_filters), zeros behind the last filter.
constexpr std::int64_t packed_elements(const DeviceWinograd& w) {
  return static_cast<std::int64_t>(w.points()) * w.channels * w.padded_filters;
}
/// `weight` is (filters, channels, 3, 3).
void pack_device_winograd(const DeviceWinograd& winograd, const float* weight, float* packed);

/// The time in the unit of estimated_products(const ImplicitGemm&, int), on a GPU of that compute capability.
/// Precondition: the GEMM has tiles.
double estimated_products(const DeviceWinograd& winograd, int multiprocessors, int major, int minor);

}  // namespace mxinfer::kernels
