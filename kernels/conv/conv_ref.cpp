#include "kernels/conv/conv.h"
#include "kernels/conv/conv_taps.h"

namespace mxinfer::kernels {
namespace {

/// One element of dst before bias: the sum over the filter's channels and taps.
template <typename T>
double dot_at(const ConvShape& s, const T* src, const T* weight, const Spatial& at) {
  double sum = 0;
  for_each_tap(s, at, [&](std::int64_t c, std::int64_t position) {
    if (position >= 0) sum += static_cast<double>(*weight) * src[c * volume(s.input) + position];
    ++weight;
  });
  return sum;
}

/// A task is one filter's plane of one image.
template <typename T>
void run_plane(const ConvArgs<T>& args, std::int64_t task) {
  const ConvShape& s = args.shape;
  const std::int64_t n = task / s.filters, m = task % s.filters;
  const std::int64_t group = m / s.group_filters();
  const T* src = args.src + (n * s.channels + group * s.group_channels()) * volume(s.input);
  const T* weight = args.weight + m * s.depth();
  const std::int64_t first = task * volume(s.output);
  std::int64_t i = first;
  for (std::int64_t d = 0; d < s.output[0]; ++d) {
    for (std::int64_t h = 0; h < s.output[1]; ++h) {
      for (std::int64_t w = 0; w < s.output[2]; ++w, ++i) {
        double sum = dot_at(s, src, weight, {d, h, w});
        if (args.bias != nullptr) sum += args.bias[m];
        if (args.residual != nullptr) sum += args.residual[i];
        args.dst[i] = activate(args.epilogue, static_cast<T>(sum));
      }
    }
  }
}

template <typename T>
void run(const ConvArgs<T>& args, std::int64_t begin, std::int64_t end, T*) {
  for (std::int64_t task = begin; task < end; ++task) run_plane(args, task);
}

std::int64_t tasks(const ConvShape& s) {
  return s.batch * s.filters;
}
std::int64_t nothing(const ConvShape&) {
  return 0;
}

}  // namespace

template <>
const ConvRow<float>& conv_ref<float>() {
  static constexpr ConvRow<float> row{"conv_ref_f32", nullptr, nothing, nullptr, tasks, nothing, run<float>};
  return row;
}

template <>
const ConvRow<double>& conv_ref<double>() {
  static constexpr ConvRow<double> row{"conv_ref_f64", nullptr, nothing,    nullptr,
                                       tasks,          nothing, run<double>};
  return row;
}

}  // namespace mxinfer::kernels
