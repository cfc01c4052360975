#include "kernels/conv_nhwc/conv_nhwc.h"

namespace mxinfer::kernels {
namespace {

// Multiplications of Winograd's algorithm over those of the definition, tiles at the border counted whole.
double winograd_share(const ConvShape& s, std::int64_t outputs) {
  const auto tiles = [&](std::int64_t size) { return (size + outputs - 1) / outputs; };
  const auto points = static_cast<double>((outputs + 2) * (outputs + 2));
  const double covered = static_cast<double>(tiles(s.output[1]) * tiles(s.output[2])) * points;
  return covered / static_cast<double>(9 * s.output[1] * s.output[2]);
}

// Tiles of 4 or 2 outputs, or 0 where the transforms would cost more than they save.
int winograd_outputs(const ConvShape& s) {
  constexpr std::int64_t kLeastChannels = 16;
  if (!is_winograd(s) || s.channels < kLeastChannels || s.filters < kLeastChannels) return 0;
  const std::int64_t tiles = s.batch * ((s.output[1] + 3) / 4) * ((s.output[2] + 3) / 4);
  // With few tiles most of the time goes into reading weights, of which four times as many are needed.
  if (tiles >= 12 && winograd_share(s, 4) < 0.5) return 4;
  return tiles >= 4 && winograd_share(s, 2) < 0.7 ? 2 : 0;
}

}  // namespace

const ConvKernel& select_conv_nhwc(const ConvShape& shape, Source source, Target target,
                                   const char** reason) {
  if (target == Target::ref) {
    *reason = "the reference kernel was asked for";
    return conv_nhwc_ref(source);
  }
  if (source == Source::channels_first) {
    *reason = "reads a picture's planes, and writes channels-last";
    return conv_nhwc_strip(source, target);
  }
  if (is_depthwise(shape) && shape.filters == shape.channels) {
    *reason = "one filter for each channel: vectors of channels, tap by tap";
    return conv_nhwc_depthwise(target);
  }
  if (reads_planes(shape)) {
    *reason = "few input channels: the taps of a row of the filter are summed as one run";
    return conv_nhwc_strip(source, target);
  }
  if (const int outputs = winograd_outputs(shape); outputs > 0) {
    *reason = outputs == 4
                  ? "3 x 3 filters of stride 1: Winograd's tiles of 4 x 4 outputs need a quarter of the "
                    "multiplications"
                  : "3 x 3 filters of stride 1 on a small plane: Winograd's tiles of 2 x 2 outputs need "
                    "4/9 of the multiplications";
    return conv_nhwc_winograd(target, outputs);
  }
  *reason = "channels innermost: the taps are runs of memory, nothing is gathered";
  return conv_nhwc_direct(target);
}

}  // namespace mxinfer::kernels
