#include "kernels/cuda/dialect.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/deformable/deformable_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;
/// Channels that a thread reads at the place it has computed.
constexpr std::int64_t kChannels = 8;
constexpr std::int64_t kOutside = -1;

/// A place on one axis: two neighbours, kOutside for those that count as 0, and their weights.
struct Neighbours {
  std::int64_t low, high;
  float low_weight, high_weight;
};

__device__ __forceinline__ Neighbours neighbours(float place, std::int64_t size, DeformableBorder border) {
  const bool clamped = border == DeformableBorder::clamped;
  const bool inside = (clamped ? place >= 0.0f : place > -1.0f) && place < static_cast<float>(size);
  if (!inside) return {kOutside, kOutside, 0.0f, 0.0f};  // NaN too
  const float floor = floorf(place);
  const auto low = static_cast<std::int64_t>(floor);
  const float share = place - floor;
  if (low + 1 < size) return {low, low + 1, 1.0f - share, share};  // low may be -1, which is outside
  if (clamped) return {low, low, 1.0f, 0.0f};
  return {low, kOutside, 1.0f - share, share};
}

/// Four pixels of a plane, and their weights.
struct Sample {
  std::int64_t at[4];
  float weight[4];
};

__device__ __forceinline__ std::int64_t pixel_at(std::int64_t row, std::int64_t column, std::int64_t width) {
  return row == kOutside || column == kOutside ? kOutside : row * width + column;
}

__device__ __forceinline__ Sample sample_at(const DeformableShape& s, float y, float x) {
  const Neighbours rows = neighbours(y, s.input[0], s.border);
  const Neighbours columns = neighbours(x, s.input[1], s.border);
  const std::int64_t width = s.input[1];
  return {{pixel_at(rows.low, columns.low, width), pixel_at(rows.low, columns.high, width),
           pixel_at(rows.high, columns.low, width), pixel_at(rows.high, columns.high, width)},
          {rows.low_weight * columns.low_weight, rows.low_weight * columns.high_weight,
           rows.high_weight * columns.low_weight, rows.high_weight * columns.high_weight}};
}

template <typename T>
__device__ __forceinline__ float read(const T* plane, const Sample& sample) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (sample.at[i] != kOutside) sum += sample.weight[i] * to_float(plane[sample.at[i]]);
  }
  return sum;
}

/// Element i of offsets or masks, which are float32 or of T.
template <typename T>
__device__ __forceinline__ float field_at(const void* field, FloatType type, std::int64_t i) {
  return type == FloatType::float32 ? static_cast<const float*>(field)[i]
                                    : to_float(static_cast<const T*>(field)[i]);
}

/// A tap at an output pixel of an image, for a piece of the channels of an offset group.
struct Task {
  std::int64_t image, group, piece, tap, pixel;
};

/// Pixels are innermost: the threads of a warp write side by side.
template <typename Index>
__device__ __forceinline__ Task task_of(const DeformableShape& s, Index pieces, Index i) {
  const auto pixels = static_cast<Index>(s.pixels()), taps = static_cast<Index>(s.taps()),
             groups = static_cast<Index>(s.offset_groups);
  const Index row = i / pixels, piece = row / taps, group = piece / pieces;
  return {group / groups, group % groups, piece % pieces, row % taps, i % pixels};
}

template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock) columns_kernel(DeformableColumns args, Index pieces, Index count) {
  const DeformableShape& s = args.shape;
  const T* const src = static_cast<const T*>(args.src);
  T* const columns = static_cast<T*>(args.columns);
  const std::int64_t pixels = s.pixels(), taps = s.taps(), plane = s.input[0] * s.input[1];
  const std::int64_t group_channels = s.channels / s.offset_groups;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Task task = task_of(s, pieces, i);
    const std::int64_t row = (task.image * s.offset_groups + task.group) * taps + task.tap;
    const std::int64_t at = 2 * row * pixels + task.pixel;
    const std::int64_t ky = task.tap / s.kernel[1] * s.dilate[0] - s.pad[0];
    const std::int64_t kx = task.tap % s.kernel[1] * s.dilate[1] - s.pad[1];
    const float y = static_cast<float>(task.pixel / s.output[1] * s.stride[0] + ky) +
                    field_at<T>(args.offset, args.offset_type, at);
    const float x = static_cast<float>(task.pixel % s.output[1] * s.stride[1] + kx) +
                    field_at<T>(args.offset, args.offset_type, at + pixels);
    const Sample sample = sample_at(s, y, x);
    const float mask =
        args.mask != nullptr ? field_at<T>(args.mask, args.mask_type, row * pixels + task.pixel) : 1.0f;
    const std::int64_t first = task.piece * kChannels;
    const std::int64_t last = first + kChannels < group_channels ? first + kChannels : group_channels;
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t channel = (task.image * s.offset_groups + task.group) * group_channels + c;
      columns[(channel * taps + task.tap) * args.row + task.pixel] =
          to_stored<T>(read(src + channel * plane, sample) * mask);
    }
  }
}

}  // namespace

Status deformable_columns(const DeformableColumns& args, const Stream& stream) {
  const DeformableShape& s = args.shape;
  const std::int64_t pieces = (s.channels / s.offset_groups + kChannels - 1) / kChannels;
  const std::int64_t count = args.images * s.offset_groups * pieces * s.taps() * s.pixels();
  return with_float_type(args.type, [&](auto element) {
    using T = decltype(element);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(columns_kernel<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(pieces), static_cast<Index>(count));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
