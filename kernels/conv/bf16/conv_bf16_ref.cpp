#include "kernels/conv/conv_taps.h"
#include "kernels/conv/bf16/conv_bf16.h"

namespace mxinfer::kernels {
namespace {

/// One element of dst before bias.
double dot_at(const ConvShape& s, const BFloat16* src, const float* weight, const Spatial& at) {
  double sum = 0;
  for_each_tap(s, at, [&](std::int64_t c, std::int64_t position) {
    const auto factor = static_cast<float>(BFloat16(*weight++));
    if (position >= 0)
      sum += static_cast<double>(factor) * static_cast<float>(src[position * s.channels + c]);
  });
  return sum;
}

/// A task is one position of one image, with all its filters.
void run(const ConvBf16Kernel&, const ConvBf16Args& args, std::int64_t begin, std::int64_t end, std::byte*) {
  const ConvShape& s = args.shape;
  const std::int64_t positions = volume(s.output);
  for (std::int64_t task = begin; task < end; ++task) {
    const BFloat16* image = args.src + task / positions * s.channels * volume(s.input);
    const std::int64_t position = task % positions;
    const Spatial at{position / (s.output[1] * s.output[2]), position / s.output[2] % s.output[1],
                     position % s.output[2]};
    for (std::int64_t m = 0; m < s.filters; ++m) {
      const BFloat16* src = image + m / s.group_filters() * s.group_channels();
      double sum = dot_at(s, src, args.weight + m * s.depth(), at);
      const std::int64_t i = task * s.filters + m;
      if (args.bias != nullptr) sum += args.bias[m];
      if (args.residual != nullptr) sum += static_cast<float>(args.residual[i]);
      const float value = activate(args.epilogue, static_cast<float>(sum));
      if (args.dst != nullptr) {
        args.dst[i] = BFloat16(value);
      } else {
        args.wide[i] = value;
      }
    }
  }
}

constexpr ConvBf16Algorithm kAsDefined{
    nullptr,
    nullptr,
    nullptr,
    [](const ConvBf16Kernel&, const ConvShape& s) { return s.batch * volume(s.output); },
    [](const ConvBf16Kernel&, const ConvShape&) { return std::size_t{0}; },
    run,
    [](const ConvBf16Kernel&, const ConvShape&) { return Work{}; }};

}  // namespace

const ConvBf16Kernel& conv_bf16_ref() {
  static constexpr ConvBf16Kernel kKernel{"conv_bf16_ref", &kAsDefined, nullptr, nullptr};
  return kKernel;
}

}  // namespace mxinfer::kernels
