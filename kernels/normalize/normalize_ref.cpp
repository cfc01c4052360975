#include <algorithm>
#include <cmath>

#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
#include "kernels/normalize/scale_shift.h"

namespace mxinfer::kernels {
namespace {

template <typename T, typename Element>
void scale_shift(const ScaleShiftArgs<T, Element>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t width = args.inner > 1 ? args.inner : args.channels;
  const std::int64_t step = args.src_stride != 0 ? args.src_stride : width;
  for (std::int64_t row = begin; row < end; ++row) {
    for (std::int64_t i = 0; i < width; ++i) {
      const std::int64_t c = args.inner > 1 ? row % args.channels : i;
      const T x = static_cast<T>(args.src[row * step + i]);
      args.dst[row * width + i] = Element(activate(args.post_ops, x * args.scale[c] + args.shift[c]));
    }
  }
}

template <typename T>
void row_norm(const RowNormArgs<T>& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t first = row / args.inner * args.length * args.inner + row % args.inner;
    const T* src = args.src + first;
    T* dst = args.dst + first;
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < args.length; ++i) sum += static_cast<double>(src[i * args.inner]);
    const double mean = sum / static_cast<double>(args.length);
    for (std::int64_t i = 0; i < args.length; ++i) {
      const double centred = static_cast<double>(src[i * args.inner]) - mean;
      squares += centred * centred;
    }
    const double std = std::sqrt(squares / static_cast<double>(args.length) + args.eps);
    for (std::int64_t i = 0; i < args.length; ++i) {
      const std::int64_t a = args.element_affine ? i : row % args.groups;
      const double normal = (static_cast<double>(src[i * args.inner]) - mean) / std;
      dst[i * args.inner] =
          static_cast<T>(normal * static_cast<double>(args.gamma[a]) + static_cast<double>(args.beta[a]));
    }
    if (args.mean != nullptr) args.mean[row] = static_cast<T>(mean);
    if (args.std != nullptr) args.std[row] = static_cast<T>(std);
  }
}

}  // namespace

void scale_shift_ref(const ScaleShiftArgs<float>& args, std::int64_t begin, std::int64_t end) {
  scale_shift(args, begin, end);
}
void scale_shift_ref(const ScaleShiftArgs<double>& args, std::int64_t begin, std::int64_t end) {
  scale_shift(args, begin, end);
}
void scale_shift_ref(const ScaleShiftArgs<float, BFloat16>& args, std::int64_t begin, std::int64_t end) {
  scale_shift(args, begin, end);
}
void row_norm_ref(const RowNormArgs<float>& args, std::int64_t begin, std::int64_t end) {
  row_norm(args, begin, end);
}
void row_norm_ref(const RowNormArgs<double>& args, std::int64_t begin, std::int64_t end) {
  row_norm(args, begin, end);
}

void lrn_ref(const LrnArgs& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t reach = args.size / 2;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t c = row % args.channels;
    const std::int64_t first = std::max<std::int64_t>(0, c - reach),
                       last = std::min(args.channels - 1, c + reach);
    const float* image = args.src + (row - c) * args.inner;
    for (std::int64_t i = 0; i < args.inner; ++i) {
      double squares = 0;
      for (std::int64_t k = first; k <= last; ++k) {
        const double x = image[k * args.inner + i];
        squares += x * x;
      }
      const double base =
          args.knorm + static_cast<double>(args.alpha) / static_cast<double>(args.size) * squares;
      args.dst[row * args.inner + i] =
          static_cast<float>(image[c * args.inner + i] * std::pow(base, -static_cast<double>(args.beta)));
    }
  }
}

template <typename T>
void fold_statistics(std::int64_t channels, const T* gamma, const T* beta, const T* mean, const T* variance,
                     double eps, T* scale, T* shift) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const double weight = gamma == nullptr ? 1.0 : static_cast<double>(gamma[c]);
    const double factor = weight / std::sqrt(static_cast<double>(variance[c]) + eps);
    scale[c] = static_cast<T>(factor);
    shift[c] = static_cast<T>(static_cast<double>(beta[c]) - static_cast<double>(mean[c]) * factor);
  }
}

template void fold_statistics(std::int64_t, const float*, const float*, const float*, const float*, double,
                              float*, float*);
template void fold_statistics(std::int64_t, const double*, const double*, const double*, const double*,
                              double, double*, double*);

}  // namespace mxinfer::kernels
