#include <algorithm>

#include "kernels/conv/conv_taps.h"
#include "kernels/conv/conv_nhwc.h"

namespace mxinfer::kernels {
namespace {

/// Elements from one channel to the next, and from one position to the next.
struct Steps {
  std::int64_t channel, position;
};

Steps steps_of(const ConvArgs<float>& args, Source source) {
  return source == Source::channels_last ? Steps{1, args.src_step()} : Steps{volume(args.shape.input), 1};
}

/// One element of dst before bias.
double dot_at(const ConvShape& s, Steps steps, const float* src, const float* border, const float* weight,
              const Spatial& at) {
  double sum = 0;
  for_each_tap(s, at, [&](std::int64_t c, std::int64_t position) {
    if (position >= 0) {
      sum += static_cast<double>(*weight) * src[position * steps.position + c * steps.channel];
    } else if (border != nullptr) {
      sum += static_cast<double>(*weight) * border[c];
    }
    ++weight;
  });
  return sum;
}

/// A task is one position of one image, with all its filters.
template <Source kSource>
void run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float*) {
  const ConvShape& s = args.shape;
  const Steps steps = steps_of(args, kSource);
  const std::int64_t image_step = std::max(steps.position, s.channels) * volume(s.input);
  const std::int64_t positions = volume(s.output);
  for (std::int64_t task = begin; task < end; ++task) {
    const float* image = args.src + task / positions * image_step;
    const std::int64_t position = task % positions;
    const Spatial at{position / (s.output[1] * s.output[2]), position / s.output[2] % s.output[1],
                     position % s.output[2]};
    for (std::int64_t m = 0; m < s.filters; ++m) {
      const std::int64_t channel = m / s.group_filters() * s.group_channels();
      const float* src = image + channel * steps.channel;
      const float* border = args.border != nullptr ? args.border + channel : nullptr;
      double sum = dot_at(s, steps, src, border, args.weight + m * s.depth(), at);
      if (args.bias != nullptr) sum += args.bias[m];
      if (args.residual != nullptr) sum += args.residual[task * s.filters + m];
      const auto x = static_cast<float>(sum);
      float& y = args.dst[task * args.dst_step() + m];
      if (args.slopes != nullptr) {
        y = x > 0 ? x : x * args.slopes[m];
      } else {
        y = activate(args.epilogue, x);
      }
    }
  }
}

std::int64_t tasks(const ConvShape& s) {
  return s.batch * volume(s.output);
}
std::int64_t nothing(const ConvShape&) {
  return 0;
}

template <Source kSource>
constexpr ConvKernel kRow{"conv_nhwc_ref_f32", nullptr, nothing, nullptr, tasks, nothing, run<kSource>};

}  // namespace

const ConvKernel& conv_nhwc_ref(Source source) {
  return source == Source::channels_last ? kRow<Source::channels_last> : kRow<Source::channels_first>;
}

}  // namespace mxinfer::kernels
