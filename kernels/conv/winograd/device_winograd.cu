// The transforms in front of the GEMM and behind it: a tile and four channels, or filters, to a thread.
// Threads that follow each other have the same tile, and read and write neighbours.
#include "kernels/conv/conv_cuda.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/winograd/winograd_points_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 128;

/// Some of the tiles, and where their transformed inputs and sums are: (points, slice, channels or filters).
struct Slice {
  int image = 0;                       ///< of the first tile
  std::uint32_t first = 0, count = 0;  ///< tiles: the first one, counted within its image
};

/// Row and column are those of the tile's first output.
struct TilePlace {
  std::int64_t image;
  int row, column;
};

__device__ __forceinline__ TilePlace place_of(const DeviceWinograd& w, const Slice& slice,
                                              std::uint32_t tile) {
  const auto of_image = static_cast<std::uint32_t>(w.rows) * w.columns;
  const std::uint32_t index = slice.first + tile, image = index / of_image;
  const std::uint32_t rest = index - image * of_image, row = rest / w.columns;
  return {slice.image + static_cast<std::int64_t>(image), static_cast<int>(row) * w.outputs,
          static_cast<int>(rest - row * w.columns) * w.outputs};
}

/// Four channels, of which there are `count`; zeros behind the last.
template <bool kVectors>
__device__ __forceinline__ Four load_channels(const float* from, int count) {
  if constexpr (kVectors) {
    const float4 v = simt::load4(from);
    return {{v.x, v.y, v.z, v.w}};
  } else {
    Four result{};
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (c < count) result.x[c] = from[c];
    }
    return result;
  }
}

/// Pixels outside of the image are w.border, or zeros.
template <class Points, bool kVectors>
__global__ void __launch_bounds__(kBlock) winograd_inputs(DeviceWinograd w, Slice slice) {
  const auto vectors = static_cast<std::uint32_t>(w.padded_channels) / 4;
  const std::int64_t point_step = w.slice * w.padded_channels;
  for (std::int64_t i = simt::first_index(); i < static_cast<std::int64_t>(slice.count) * vectors;
       i += simt::grid_step()) {
    const std::uint32_t tile = static_cast<std::uint32_t>(i) / vectors;
    const int channel = static_cast<int>(static_cast<std::uint32_t>(i) - tile * vectors) * 4;
    const TilePlace at = place_of(w, slice, tile);
    const int top = at.row - w.pad[1], left = at.column - w.pad[2], count = w.channels - channel;
    const float* image = static_cast<const float*>(w.src) + at.image * w.src_image + channel;
    const float* border = w.border != nullptr ? static_cast<const float*>(w.border) + channel : nullptr;
    const auto load = [&](int row, int column) -> Four {
      const int h = top + row, x = left + column;
      const bool inside = h >= 0 && h < w.input[1] && x >= 0 && x < w.input[2];
      const float* from =
          inside ? image + static_cast<std::int64_t>(h * w.input[2] + x) * w.src_position : border;
      return from != nullptr ? load_channels<kVectors>(from, count) : Four{};
    };
    float* to = w.scratch + static_cast<std::int64_t>(tile) * w.padded_channels + channel;
    transform_input_tile<Points>(load, [&](int point, const Four& v) {
      simt::store4(to + point * point_step, make_float4(v.x[0], v.x[1], v.x[2], v.x[3]));
    });
  }
}

/// Applies an activation that is no comparison to what this thread has stored: a loop that is not unrolled,
/// since its code is long.
__device__ __forceinline__ void activate_tile(const DeviceWinograd& w, std::int64_t position, int rows,
                                              int columns, int filter, int count) {
  const ConvEpilogue& e = w.epilogue;
#pragma unroll 1
  for (int i = 0; i < rows * columns * count; ++i) {
    const int output = i / count;
    const std::int64_t at =
        position + static_cast<std::int64_t>(output / columns) * w.output[2] + output % columns;
    float* value = dst_of<float>(e) + dst_offset(e, at) + (filter + i % count) * e.dst_filter;
    *value = activate(e.post_ops, *value);
  }
}

template <class Points>
__global__ void __launch_bounds__(kBlock)
    winograd_outputs(DeviceWinograd w, Slice slice, bool store_vectors) {
  const ConvEpilogue& e = w.epilogue;
  const auto vectors = static_cast<std::uint32_t>(w.padded_filters) / 4;
  const std::int64_t point_step = w.slice * w.padded_filters;
  const float* sums = w.scratch + w.input_elements();
  for (std::int64_t i = simt::first_index(); i < static_cast<std::int64_t>(slice.count) * vectors;
       i += simt::grid_step()) {
    const std::uint32_t tile = static_cast<std::uint32_t>(i) / vectors;
    const int filter = static_cast<int>(static_cast<std::uint32_t>(i) - tile * vectors) * 4;
    const TilePlace at = place_of(w, slice, tile);
    const int rows = w.output[1] - at.row, columns = w.output[2] - at.column, count = w.filters - filter;
    const std::int64_t corner =
        (at.image * w.output[1] + at.row) * static_cast<std::int64_t>(w.output[2]) + at.column;
    const float* from = sums + static_cast<std::int64_t>(tile) * w.padded_filters + filter;
    const auto load = [&](int point) { return load_channels<true>(from + point * point_step, 4); };
    transform_output_tile<Points>(load, [&](int row, const Four(&out)[Points::kOut]) {
#pragma unroll
      for (int column = 0; column < Points::kOut; ++column) {
        if (row >= rows || column >= columns) continue;
        const std::int64_t position = corner + static_cast<std::int64_t>(row) * w.output[2] + column;
        store_linear(e, out[column].x, filter, count, dst_offset(e, position) + filter * e.dst_filter,
                     store_vectors);
      }
    });
    if (!is_piecewise_linear(e.post_ops.activation)) {
      activate_tile(w, corner, rows < Points::kOut ? rows : Points::kOut,
                    columns < Points::kOut ? columns : Points::kOut, filter, count < 4 ? count : 4);
    }
  }
}

template <class Points>
Status launch_input(const DeviceWinograd& w, const Slice& slice, const Stream& stream) {
  const dim3 grid = simt::grid_for(static_cast<std::int64_t>(slice.count) * (w.padded_channels / 4), kBlock);
  if (w.channels % 4 == 0 && reads_vectors(w))
    return simt::launch(winograd_inputs<Points, true>, grid, kBlock, 0, stream, w, slice);
  return simt::launch(winograd_inputs<Points, false>, grid, kBlock, 0, stream, w, slice);
}

Status launch_gemm(const DeviceWinograd& w, const Slice& slice, const Stream& stream) {
  GemmArgs args = winograd_products(w, slice.count);
  args.a.data = w.scratch;
  args.b.data = static_cast<const float*>(w.weight);
  float* sums = w.scratch + w.input_elements();
  args.dst = sums;
  return gemm(args, w.gemm, sums + w.sum_elements(), stream);
}

template <class Points>
Status launch_slice(const DeviceWinograd& w, const Slice& slice, const Stream& stream) {
  if (const Status status = launch_input<Points>(w, slice, stream); status != kSuccess) return status;
  if (const Status status = launch_gemm(w, slice, stream); status != kSuccess) return status;
  const dim3 grid = simt::grid_for(static_cast<std::int64_t>(slice.count) * (w.padded_filters / 4), kBlock);
  return simt::launch(winograd_outputs<Points>, grid, kBlock, 0, stream, w, slice, stores_vectors(w));
}

}  // namespace

Status winograd_conv(const DeviceWinograd& winograd, const Stream& stream) {
  const std::int64_t tiles = winograd.tiles(), of_image = tiles / winograd.batch;
  for (std::int64_t first = 0; first < tiles; first += winograd.slice) {
    const std::int64_t count = tiles - first < winograd.slice ? tiles - first : winograd.slice;
    const Slice slice{static_cast<int>(first / of_image), static_cast<std::uint32_t>(first % of_image),
                      static_cast<std::uint32_t>(count)};
    const Status status = winograd.outputs == 4 ? launch_slice<DevicePoints4>(winograd, slice, stream)
                                                : launch_slice<DevicePoints2>(winograd, slice, stream);
    if (status != kSuccess) return status;
  }
  return kSuccess;
}

}  // namespace mxinfer::kernels::cuda
