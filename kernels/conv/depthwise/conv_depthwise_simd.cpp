// conv_depthwise: one filter for each channel. Vectors run along channels, so every tap is a vector of
// its own; a few positions of a row side by side share the taps' weights and, where their windows overlap,
// inputs. Positions whose window leaves the image sum the taps that are inside.
//
// A task is some rows of outputs of one image.
#include <algorithm>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/depthwise/conv_depthwise_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_floats.h"
#include "kernels/conv/depthwise/depthwise_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Rows of a task.
std::int64_t RowsOf(const ConvProblem& s) {
  const std::int64_t tasks = (s.task_hint + s.batch - 1) / s.batch;
  return std::max<std::int64_t>(1, s.output[1] / tasks);
}

std::int64_t Tasks(const ConvProblem& s) {
  return s.batch * ((s.output[1] + RowsOf(s) - 1) / RowsOf(s));
}

std::int64_t PackedElements(const ConvProblem& s) {
  return volume(s.kernel) * depthwise::Blocks(s.channels) * depthwise::kBlock;
}

void Pack(const ConvProblem& s, const float* weight, float* packed) {
  constexpr std::int64_t kBlock = depthwise::kBlock;
  const std::int64_t taps = volume(s.kernel);
  std::fill_n(packed, PackedElements(s), 0.0f);
  for (std::int64_t c = 0; c < s.channels; ++c) {
    float* to = packed + c / kBlock * taps * kBlock + c % kBlock;
    for (std::int64_t tap = 0; tap < taps; ++tap) to[tap * kBlock] = weight[c * taps + tap];
  }
}

std::int64_t NoScratch(const ConvProblem&) {
  return 0;
}

void Run(const ConvArgs& args, std::int64_t begin, std::int64_t end, float*) {
  const ConvProblem& s = args.problem;
  const depthwise::Tiles tiles = depthwise::TilesFor(s);
  const std::int64_t rows = RowsOf(s), blocks = (s.output[1] + rows - 1) / rows;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t image = task / blocks, first = task % blocks * rows;
    const std::int64_t last = std::min(s.output[1], first + rows);
    const float* src = typed<float>(args.src) + image * args.src_step() * s.input[1] * s.input[2];
    for (std::int64_t y = first; y < last; y += tiles.rows) {
      depthwise::Row row = depthwise::RowAt(args, y, std::min(tiles.rows, last - y), src, 0);
      row.position = (image * s.output[1] + y) * s.output[2];
      depthwise::RunRow(row, tiles);
    }
  }
}

constexpr const char* kPacking = depthwise::kBlock == 16  ? "conv_nhwc_depthwise blocks of 16 channels"
                                 : depthwise::kBlock == 8 ? "conv_nhwc_depthwise blocks of 8 channels"
                                                          : "conv_nhwc_depthwise single channels";

Work WorkOf(const ConvProblem& s) {
  const double outputs =
      static_cast<double>(s.batch * volume(s.output) * depthwise::Blocks(s.channels) * depthwise::kBlock);
  constexpr double kFloat = sizeof(float);
  Work work;
  // Each tap is read for itself, so that half of the arithmetic waits for the cache.
  work.flops = 2 * 2 * outputs * static_cast<double>(volume(s.kernel));
  work.weight_bytes = static_cast<double>(PackedElements(s)) * kFloat;
  work.activation_bytes =
      static_cast<double>(s.batch * s.channels * (volume(s.input) + volume(s.output))) * kFloat;
  return work;
}

constexpr ConvImpl kImpl{"conv_nhwc_depthwise_f32", kPacking, float_bytes<PackedElements>,
                         pack_floats<Pack>,         Tasks,    float_bytes<NoScratch>,
                         run_floats<Run>,           WorkOf};

}  // namespace

const ConvImpl& ConvDepthwiseImpl() {
  return kImpl;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvDepthwiseImpl);

const ConvImpl& conv_depthwise(Target target) {
  return MXINFER_DISPATCH(ConvDepthwiseImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
