#include "kernels/conv/conv_cuda.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/direct/depthwise_tiles.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 128;

struct Position {
  std::int64_t image;
  int at[3];
};

__device__ __forceinline__ Position position_of(const DirectConv& c, std::int64_t index, int row_length) {
  const std::int64_t rows = index / row_length, planes = rows / c.output[1];
  return {planes / c.output[0],
          {static_cast<int>(planes % c.output[0]), static_cast<int>(rows - planes * c.output[1]),
           static_cast<int>(index - rows * row_length)}};
}

/// The input that tap k sees at position o of the output, along a dimension; -1 if there is none.
__device__ __forceinline__ int input_of(const DirectConv& c, int dimension, int o, int k) {
  int i;
  if (c.transposed) {
    const int shifted = o + c.pad[dimension] - k * c.dilate[dimension];
    i = shifted / c.stride[dimension];
    if (shifted < 0 || i * c.stride[dimension] != shifted) return -1;
  } else {
    i = o * c.stride[dimension] - c.pad[dimension] + k * c.dilate[dimension];
  }
  return i >= 0 && i < c.input[dimension] ? i : -1;
}

/// An output to a thread. Consecutive threads have consecutive elements of dst.
template <typename T>
__global__ void __launch_bounds__(kBlock) scalar_kernel(DirectConv c) {
  const ConvEpilogue& e = c.epilogue;
  const auto* weight = static_cast<const float*>(c.weight);
  const std::int64_t count = c.output_elements();
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    std::int64_t place, m;  // counted through all images; of all groups
    if (e.is_channels_last()) {
      place = i / e.filters;
      m = i - place * e.filters;
    } else {
      const std::int64_t plane = i / e.positions;
      m = plane % e.filters;
      place = plane / e.filters * e.positions + (i - plane * e.positions);
    }
    const Position position = position_of(c, place, c.output[2]);
    const auto first_channel = m / c.filters * c.channels;
    const T* image =
        static_cast<const T*>(c.src) + position.image * c.src_image + first_channel * c.src_channel;
    const T* border = c.border != nullptr ? static_cast<const T*>(c.border) + first_channel : nullptr;
    const float* w = weight + m;
    float sum = 0.0f;
    for (int kd = 0; kd < c.kernel[0]; ++kd) {
      const int d = input_of(c, 0, position.at[0], kd);
      for (int kh = 0; kh < c.kernel[1]; ++kh) {
        const int h = input_of(c, 1, position.at[1], kh);
        if ((d < 0 || h < 0) && border == nullptr) {
          w += c.kernel[2] * c.channels * e.filters;
          continue;
        }
        for (int kw = 0; kw < c.kernel[2]; ++kw, w += c.channels * e.filters) {
          const int x = input_of(c, 2, position.at[2], kw);
          const bool inside = d >= 0 && h >= 0 && x >= 0;
          if (!inside && border == nullptr) continue;
          const T* from = inside ? image + static_cast<std::int64_t>((d * c.input[1] + h) * c.input[2] + x) *
                                               c.src_position
                                 : border;
          const int step = inside ? c.src_channel : 1;
          for (int channel = 0; channel < c.channels; ++channel)
            sum += to_float(from[static_cast<std::int64_t>(channel) * step]) * w[channel * e.filters];
        }
      }
    }
    const std::int64_t at = dst_offset(e, place) + m * e.dst_filter;
    dst_of<T>(e)[at] = to_stored<T>(finish<T>(e, sum, m, at));
  }
}

/// Adds a tap's products for kPositions positions and a vector of filters. `from`: null where there is
/// nothing.
template <typename T, bool kDepthwise, int kPositions>
__device__ __forceinline__ void add_tap(const DirectConv& c, const T* const (&from)[kPositions],
                                        const float* weight, float (&sums)[kPositions][kVector<T>]) {
  // Of groups of four filters, eight are two groups.
  const int next_group = c.filters % kVector<T> == 0 ? 0 : c.channels;
  for (int channel = 0; channel < c.channels; ++channel) {
    float w[kVector<T>];
    load_floats(weight + channel * c.epilogue.filters, w);
#pragma unroll
    for (int p = 0; p < kPositions; ++p) {
      if (from[p] == nullptr) continue;
      if constexpr (kDepthwise) {
        float x[kVector<T>];
        load_vector(from[p], x);
#pragma unroll
        for (int i = 0; i < kVector<T>; ++i) sums[p][i] += x[i] * w[i];
      } else {
        const float x[2] = {to_float(from[p][channel]), to_float(from[p][channel + next_group])};
#pragma unroll
        for (int i = 0; i < kVector<T>; ++i) sums[p][i] += x[2 * i / kVector<T>] * w[i];
      }
    }
  }
}

/// kPositions positions of a row and a vector of filters to a thread, channels-last.
template <typename T, bool kDepthwise, int kPositions>
__global__ void __launch_bounds__(kBlock, 4) vector_kernel(DirectConv c) {
  const ConvEpilogue& e = c.epilogue;
  const int row_length = (c.output[2] + kPositions - 1) / kPositions;
  const std::int64_t vectors = e.filters / kVector<T>;
  const std::int64_t count =
      c.batch * static_cast<std::int64_t>(c.output[0]) * c.output[1] * row_length * vectors;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t place = i / vectors;
    const auto m = static_cast<int>(i - place * vectors) * kVector<T>;
    const Position position = position_of(c, place, row_length);
    const int first = position.at[2] * kPositions;
    const int channel = kDepthwise ? m : m / c.filters * c.channels;
    const T* image = static_cast<const T*>(c.src) + position.image * c.src_image + channel;
    const T* border = c.border != nullptr ? static_cast<const T*>(c.border) + channel : nullptr;
    const float* weight = static_cast<const float*>(c.weight) + m;
    float sums[kPositions][kVector<T>] = {};
    for (int kd = 0; kd < c.kernel[0]; ++kd) {
      const int d = input_of(c, 0, position.at[0], kd);
      for (int kh = 0; kh < c.kernel[1]; ++kh) {
        const int h = input_of(c, 1, position.at[1], kh);
        const T* row = image + static_cast<std::int64_t>((d * c.input[1] + h) * c.input[2]) * c.src_position;
        for (int kw = 0; kw < c.kernel[2]; ++kw, weight += c.channels * e.filters) {
          const T* from[kPositions];
#pragma unroll
          for (int p = 0; p < kPositions; ++p) {
            const int x = input_of(c, 2, first + p, kw);
            from[p] =
                d >= 0 && h >= 0 && x >= 0 ? row + static_cast<std::int64_t>(x) * c.src_position : border;
          }
          add_tap<T, kDepthwise, kPositions>(c, from, weight, sums);
        }
      }
    }
    const std::int64_t row =
        ((position.image * c.output[0] + position.at[0]) * c.output[1] + position.at[1]) * c.output[2];
    const std::int64_t at = (row + first) * e.dst_position + m;
#pragma unroll
    for (int p = 0; p < kPositions; ++p) {
      if (first + p < c.output[2])
        finish_linear_vector<T>(e, sums[p], load_residual<T>(e, at + p * e.dst_position), m);
    }
    activate_curved(e.post_ops, sums);
#pragma unroll
    for (int p = 0; p < kPositions; ++p) {
      if (first + p < c.output[2]) store_vector(dst_of<T>(e) + at + p * e.dst_position, sums[p]);
    }
  }
}

template <typename T, bool kDepthwise>
Status launch_vectors(const DirectConv& c, const Stream& stream) {
  const std::int64_t rows = c.batch * static_cast<std::int64_t>(c.output[0]) * c.output[1];
  const int row_length = (c.output[2] + c.row_positions - 1) / c.row_positions;
  const dim3 grid = simt::grid_for(rows * row_length * (c.epilogue.filters / kVector<T>), kBlock);
  if (c.row_positions == 4) return simt::launch(vector_kernel<T, kDepthwise, 4>, grid, kBlock, 0, stream, c);
  return simt::launch(vector_kernel<T, kDepthwise, 1>, grid, kBlock, 0, stream, c);
}

template <typename T>
__global__ void pack_kernel(DirectConv c, const T* weight, float* packed) {
  const std::int64_t count = packed_elements(c);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
    packed[i] = to_float(weight[stored_weight_of(c, i)]);
}

template <typename T>
Status launch_of_type(const DirectConv& direct, const Stream& stream) {
  const bool vectors = stores_vectors(direct) && reads_vectors(direct);
  switch (vectors ? direct.kind : DirectKind::scalar) {
    case DirectKind::depthwise_tiles:
      return launch_depthwise_tiles(direct, stream);
    case DirectKind::depthwise_vectors:
      return launch_vectors<T, true>(direct, stream);
    case DirectKind::group_vectors:
      return launch_vectors<T, false>(direct, stream);
    case DirectKind::scalar:
      break;
  }
  return simt::launch(scalar_kernel<T>, simt::grid_for(direct.output_elements(), kBlock), kBlock, 0, stream,
                      direct);
}

}  // namespace

Status direct_conv(const DirectConv& direct, const Stream& stream) {
  return with_float_type(direct.type,
                         [&](auto element) { return launch_of_type<decltype(element)>(direct, stream); });
}

Status direct_conv_pack(const DirectConv& direct, const void* weight, float* packed, const Stream& stream) {
  return with_float_type(direct.type, [&](auto element) {
    using T = decltype(element);
    return simt::launch(pack_kernel<T>, simt::grid_for(packed_elements(direct), kBlock), kBlock, 0, stream,
                        direct, static_cast<const T*>(weight), packed);
  });
}

}  // namespace mxinfer::kernels::cuda
