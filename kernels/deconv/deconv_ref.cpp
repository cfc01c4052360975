#include <algorithm>

#include "kernels/deconv/deconv.h"

namespace mxinfer::kernels {
namespace {

/// The input positions [first, last) along dimension a whose tap k falls inside of the output.
struct Range {
  std::int64_t first, last;
};

Range inside(const DeconvShape& s, std::size_t a, std::int64_t k) {
  const std::int64_t offset = k * s.dilate[a] - s.pad[a];
  const std::int64_t first = offset < 0 ? (-offset + s.stride[a] - 1) / s.stride[a] : 0;
  const std::int64_t room = s.output[a] - offset;
  const std::int64_t last = room <= 0 ? 0 : (room - 1) / s.stride[a] + 1;
  return {first, std::min(last, s.input[a])};
}

/// Adds one tap's column to a plane of dst.
template <typename T>
void add_tap(const DeconvShape& s, const Spatial& tap, const T* column, T* dst) {
  const Range depth = inside(s, 0, tap[0]), height = inside(s, 1, tap[1]), width = inside(s, 2, tap[2]);
  const auto to = [&](std::size_t a, std::int64_t i) {
    return i * s.stride[a] + tap[a] * s.dilate[a] - s.pad[a];
  };
  for (std::int64_t d = depth.first; d < depth.last; ++d) {
    for (std::int64_t h = height.first; h < height.last; ++h) {
      const T* from = column + (d * s.input[1] + h) * s.input[2];
      T* row = dst + (to(0, d) * s.output[1] + to(1, h)) * s.output[2];
      for (std::int64_t w = width.first; w < width.last; ++w) row[to(2, w)] += from[w];
    }
  }
}

template <typename T>
void fold_plane(const FoldArgs<T>& args, std::int64_t task) {
  const DeconvShape& s = args.shape;
  T* dst = args.dst + task * volume(s.output);
  std::fill_n(dst, volume(s.output), T(0));
  const T* column = args.columns + task * volume(s.kernel) * volume(s.input);
  for (std::int64_t kd = 0; kd < s.kernel[0]; ++kd) {
    for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh) {
      for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw, column += volume(s.input)) {
        add_tap(s, {kd, kh, kw}, column, dst);
      }
    }
  }
  const T bias = args.bias != nullptr ? args.bias[task % s.filters] : T(0);
  for (std::int64_t i = 0; i < volume(s.output); ++i) dst[i] = activate(args.post_ops, dst[i] + bias);
}

}  // namespace

template <typename T>
void transpose_deconv_weight(const DeconvShape& s, const T* weight, T* transposed) {
  const std::int64_t rows = s.group_channels(), columns = s.group_filters() * volume(s.kernel);
  for (std::int64_t g = 0; g < s.groups; ++g) {
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t c = 0; c < rows; ++c) *transposed++ = weight[(g * rows + c) * columns + j];
    }
  }
}

template <typename T>
void fold(const FoldArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t task = begin; task < end; ++task) fold_plane(args, task);
}

template void transpose_deconv_weight(const DeconvShape&, const float*, float*);
template void transpose_deconv_weight(const DeconvShape&, const double*, double*);
template void fold(const FoldArgs<float>&, std::int64_t, std::int64_t);
template void fold(const FoldArgs<double>&, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
