#include "kernels/conv/device_conv.h"

#include <algorithm>

namespace mxinfer::kernels {
namespace {

/// Sums of two sizes fit into an int.
constexpr std::int64_t kMost = kMostConvElements;

bool fits(const Spatial& s) {
  return std::all_of(s.begin(), s.end(), [](std::int64_t n) { return n < kMost; });
}

int to_int(std::int64_t n) {
  return static_cast<int>(n);
}

void set_sizes(const ConvProblem& p, DeviceConv* g) {
  g->batch = to_int(p.batch);
  g->groups = to_int(p.groups);
  g->channels = to_int(p.group_channels());
  g->filters = to_int(p.group_filters());
  for (std::size_t d = 0; d < 3; ++d) {
    g->input[d] = to_int(p.input[d]);
    g->output[d] = to_int(p.output[d]);
    g->kernel[d] = to_int(p.kernel[d]);
    g->stride[d] = to_int(p.stride[d]);
    g->pad[d] = to_int(p.pad[d]);
    g->dilate[d] = to_int(p.dilate[d]);
  }
}

void set_strides(const ConvProblem& p, SrcLayout dst_layout, DeviceConv* g) {
  const bool planes = p.src_layout == SrcLayout::nchw;
  g->src_image = p.channels * volume(p.input);
  g->src_position = planes ? 1 : to_int(p.channels);
  g->src_channel = planes ? to_int(volume(p.input)) : 1;
  ConvEpilogue& e = g->epilogue;
  e.positions = volume(p.output);
  e.filters = p.filters;
  e.dst_image = e.positions * e.filters;
  e.dst_filter = dst_layout == SrcLayout::nchw ? e.positions : 1;
  // Planes of one position are channels-last too: positions are those of all images then.
  e.dst_position = e.dst_filter == 1 ? e.filters : 1;
}

}  // namespace

const char* device_conv_rejects(const ConvProblem& p) {
  constexpr const char* kTooLarge = "an image or a filter has 2^30 elements or more";
  if (!fits(p.input) || !fits(p.output) || !fits(p.kernel) || !fits(p.stride) || !fits(p.pad) ||
      !fits(p.dilate) || p.batch >= kMost)
    return kTooLarge;
  for (std::size_t d = 0; d < 3; ++d) {
    // Where a tap is, and what the last row of a tile would be.
    if (p.dilate[d] * (p.kernel[d] - 1) + p.pad[d] >= kMost) return kTooLarge;
    if (p.output[d] * p.stride[d] >= kMost) return kTooLarge;
  }
  if (p.channels * volume(p.input) >= kMost || p.filters * volume(p.output) >= kMost || p.depth() >= kMost)
    return kTooLarge;
  return nullptr;
}

DeviceConv device_conv(const ConvProblem& problem, Direction direction, SrcLayout dst_layout,
                       FloatType type) {
  DeviceConv conv;
  conv.type = type;
  conv.transposed = direction == Direction::transposed;
  set_sizes(problem, &conv);
  set_strides(problem, dst_layout, &conv);
  return conv;
}

void set_row_strides(std::int64_t src, std::int64_t dst, DeviceConv* conv) {
  if (src != 0) {
    conv->src_position = to_int(src);
    conv->src_image = src * conv->input[0] * conv->input[1] * conv->input[2];
  }
  if (dst != 0) {
    conv->epilogue.dst_position = dst;
    conv->epilogue.dst_image = dst * conv->epilogue.positions;
  }
}

}  // namespace mxinfer::kernels
