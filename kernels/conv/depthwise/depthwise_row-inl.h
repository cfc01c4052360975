// A row of outputs of a depthwise convolution whose channels are innermost, or two rows together. A few
// positions side by side share the taps' weights and, where their windows overlap, inputs; inputs outside of
// the image are left out. Included by kernels inside Highway's foreach_target loop.
//
//   const depthwise::Tiles tiles = depthwise::TilesFor(shape);
//   depthwise::RunRow(depthwise::RowAt(args, y, std::min(tiles.rows, left), image, top), tiles);
//
// Weights are [block of kBlock channels][tap][kBlock], padded with zeros: what a step of the loop reads
// is contiguous; rows of taps as long as the channels would fall into the same few cache sets.
#if defined(MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_ROW_INL_H_
#undef MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_ROW_INL_H_
#else
#define MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_ROW_INL_H_
#endif

#include <algorithm>

#include "kernels/common/partial-inl.h"
#include "kernels/common/post_ops-inl.h"
#include "kernels/conv/conv.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::depthwise {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// Channels of a step: a whole cache line, so that each line is loaded once.
constexpr int kVectors = kLanes >= 16 || kLanes == 1 ? 1 : 2;
constexpr std::int64_t kBlock = kVectors * kLanes;

constexpr std::int64_t Blocks(std::int64_t channels) {
  return (channels + kBlock - 1) / kBlock;
}

/// Taps [first, last) of a window that starts at `at` and stay inside of [0, size).
struct Taps {
  std::int64_t first, last;
};
inline Taps Inside(std::int64_t at, std::int64_t taps, std::int64_t dilate, std::int64_t size) {
  const std::int64_t first = at >= 0 ? 0 : (-at + dilate - 1) / dilate;
  const std::int64_t last = at >= size ? 0 : std::min(taps, (size - 1 - at) / dilate + 1);
  return {std::min(first, taps), std::max(last, std::min(first, taps))};
}

/// What a row of outputs needs, or two.
struct Row {
  const ConvArgs* args;
  const float* image;     ///< rows of input
  std::int64_t top;       ///< the row of `image` at which its windows begin
  std::int64_t position;  ///< the first of its outputs
  std::int64_t count;     ///< rows of outputs: 1, or 2 if nothing is dilated
  Taps taps;              ///< rows of the filter that are inside; of two rows, counted from the upper one's

  /// The weights of channel c at the first tap of row kh of the filter; the next tap is kBlock further.
  const float* weight(std::int64_t c, std::int64_t kh) const {
    const Spatial& kernel = args->problem.kernel;
    return typed<float>(args->weight) + (c / kBlock * kernel[1] + kh) * kernel[2] * kBlock + c % kBlock;
  }
};

/// Rows [y, y + count) of outputs; `image` begins with row `top` of the inputs.
inline Row RowAt(const ConvArgs& args, std::int64_t y, std::int64_t count, const float* image,
                 std::int64_t top) {
  const ConvProblem& s = args.problem;
  const std::int64_t at = y * s.stride[1] - s.pad[1];
  Row row{};
  row.args = &args;
  row.image = image;
  row.top = at - top;
  row.count = count;
  row.taps = Inside(at, s.kernel[1] + (count - 1) * s.stride[1], s.dilate[1], s.input[1]);
  return row;
}

/// One of two rows of outputs.
inline Row RowOf(const Row& pair, std::int64_t index) {
  const ConvProblem& s = pair.args->problem;
  const std::int64_t down = index * s.stride[1];
  Row row = pair;
  row.top += down;
  row.position += index * s.output[2];
  row.count = 1;
  row.taps.first = std::clamp<std::int64_t>(pair.taps.first - down, 0, s.kernel[1]);
  row.taps.last = std::clamp(pair.taps.last - down, row.taps.first, s.kernel[1]);
  return row;
}

/// GCC would load again for each use.
HWY_INLINE V LoadOnce(const float* from) {
  V value = hn::LoadU(D(), from);
#if HWY_TARGET == HWY_AVX3
  __asm__("" : "+v"(value.raw));
#endif
  return value;
}

HWY_INLINE V LoadChannels(const float* from, std::int64_t count) {
  return count >= kLanes ? hn::LoadU(D(), from) : LoadFirst(D(), from, count, 0.0f);
}

/// Applies the post-ops to the sums of channels c on of a position, and stores them.
HWY_INLINE void StorePosition(const ConvArgs& args, V sum, std::int64_t position, std::int64_t c,
                              std::int64_t count) {
  const D d;
  if (args.bias != nullptr) sum = hn::Add(sum, LoadChannels(typed<float>(args.bias) + c, count));
  if (args.residual != nullptr)
    sum =
        hn::Add(sum, LoadChannels(typed<float>(args.residual) + position * args.problem.channels + c, count));
  sum = args.slopes != nullptr ? Leaky(d, sum, LoadChannels(args.slopes + c, count))
                               : ApplyPiecewiseLinear(d, args.post_ops, sum);
  float* to = typed<float>(args.dst) + position * args.dst_step() + c;
  if (count >= kLanes) {
    hn::StoreU(sum, d, to);
  } else {
    StoreFirst(d, sum, to, count);
  }
}

/// One position, channels from `first` on, for any filter.
inline void Position(const Row& row, std::int64_t x, std::int64_t first) {
  const ConvProblem& s = row.args->problem;
  const std::int64_t left = x * s.stride[2] - s.pad[2], pixel = row.args->src_step();
  const Taps taps = Inside(left, s.kernel[2], s.dilate[2], s.input[2]);
  for (std::int64_t c = first; c < s.channels; c += kLanes) {
    const std::int64_t count = s.channels - c;
    V sum = hn::Zero(D());
    for (std::int64_t kh = row.taps.first; kh < row.taps.last; ++kh) {
      const std::int64_t h = row.top + kh * s.dilate[1];
      const float* in = row.image + (h * s.input[2] + left) * pixel + c;
      const float* weight = row.weight(c, kh);
      for (std::int64_t kw = taps.first; kw < taps.last; ++kw) {
        const V w = hn::LoadU(D(), weight + kw * kBlock);
        sum = hn::MulAdd(LoadChannels(in + kw * s.dilate[2] * pixel, count), w, sum);
      }
    }
    StorePosition(*row.args, sum, row.position + x, c, count);
  }
}

/// How many inputs of a row of windows lie outside of the image, to its left and right.
struct Outside {
  std::int64_t left, right;
};

using TileFn = void (*)(const Row&, std::int64_t, Outside);

/// Tiles of 1, 2, ... up to `most` positions for a filter; none if only Position computes it.
struct Tiles {
  std::int64_t most;
  TileFn of[4];
  std::int64_t rows = 1;  ///< of outputs at a time: 2 if there are tiles of two rows
  TileFn of_two[4] = {};
};

Tiles TilesFor(const ConvProblem& s);

/// For the windows of positions [x, x + count).
inline Outside OutsideOf(const ConvProblem& s, std::int64_t x, std::int64_t count) {
  const std::int64_t first = x * s.stride[2] - s.pad[2];
  const std::int64_t last = first + (count - 1) * s.stride[2] + s.kernel[2];
  return {std::max<std::int64_t>(0, -first), std::max<std::int64_t>(0, last - s.input[2])};
}

/// Precondition: row.count <= tiles.rows.
inline void RunRow(const Row& row, const Tiles& tiles) {
  const ConvProblem& s = row.args->problem;
  const std::int64_t width = s.output[2], most_outside = s.kernel[2] / 2;
  const TileFn* const of = row.count == 2 ? tiles.of_two : tiles.of;
  std::int64_t x = 0;
  while (x < width) {
    const std::int64_t count = std::min(tiles.most, width - x);
    const Outside outside = OutsideOf(s, x, count);
    if (count > 0 && outside.left <= most_outside && outside.right <= most_outside) {
      of[count - 1](row, x, outside);
      x += count;
    } else {
      for (std::int64_t i = 0; i < row.count; ++i) Position(RowOf(row, i), x, 0);
      ++x;
    }
  }
  if (row.args->slopes != nullptr || is_piecewise_linear(row.args->post_ops.activation)) return;
  const std::int64_t step = row.args->dst_step();
  const std::int64_t positions = row.count * width;
  const std::int64_t together = step == s.channels ? positions : 1;  // contiguous positions
  for (x = 0; x < positions; x += together)
    ActivateRow(row.args->post_ops, typed<float>(row.args->dst) + (row.position + x) * step,
                together * s.channels);
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::depthwise
HWY_AFTER_NAMESPACE();

#endif
