// conv_direct: the sum as it is written. A tile is six positions by a panel of filters. Each tap of the
// filter adds a run of channels to the sums of the tile; a task looks up the addresses of its runs once. A
// tap outside of the image reads a run of zeros or of the border.
//
// A task is a block of positions, over all images, by some panels. The inputs of a block fit into the
// second-level cache, where they stay while the panels pass.
#include <algorithm>
#include <cstring>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/direct/conv_direct_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_floats.h"
#include "kernels/conv/conv_panels-inl.h"
#include "kernels/conv/conv_positions.h"
#include "kernels/conv/task_cut.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Floats of input of a block of positions. If weights do not stay in a cache, blocks are larger, since each
/// reads all weights again.
constexpr std::int64_t kBlockFloats = 48 * 1024, kLargeBlockFloats = 128 * 1024;
constexpr std::int64_t kLargeWeightFloats = 256 * 1024;
constexpr std::int64_t kMostPositions = 40 * panel::kRows;
/// Between blocks of depth the sums go through memory. Where a tile has 24, that costs more than reading the
/// panel's block from the second-level cache again for each tile.
constexpr std::int64_t kDepthSteps = panel::kVectors == 4 ? 1024 : kBlockSteps;

/// Rows are positions.
TaskCut CutOf(const ConvProblem& s) {
  const std::int64_t step = s.stride[0] * s.stride[1] * s.stride[2];
  const std::int64_t floats =
      s.group_filters() * s.depth() > kLargeWeightFloats ? kLargeBlockFloats : kBlockFloats;
  const std::int64_t most = std::clamp<std::int64_t>(
      floats / (s.group_channels() * std::min(step, volume(s.kernel))), 4 * panel::kRows, kMostPositions);
  return cut_tasks(s.batch * volume(s.output), {8 * panel::kRows, most, panel::kRows},
                   PanelCount(s.group_filters()), s.groups, s.task_hint);
}

std::int64_t Tasks(const ConvProblem& s) {
  const TaskCut c = CutOf(s);
  return s.groups * c.blocks * c.panel_blocks;
}

/// A thread's scratch: a run of zeros and the table of addresses.
std::int64_t ZeroFloats(const ConvProblem& s) {
  return RoundUp(s.group_channels(), 16);
}
std::int64_t ScratchElements(const ConvProblem& s) {
  return ZeroFloats(s) + CutOf(s).block * volume(s.kernel) * kPointerFloats;
}

/// runs[i]: row + (column + i * stride) * step, or `zeros` outside of [0, width).
void FindRunsOfRow(const float* row, std::int64_t column, std::int64_t stride, std::int64_t width,
                   std::int64_t step, const float* zeros, std::int64_t count, const float** runs) {
  std::int64_t at = column * step;
  for (std::int64_t i = 0; i < count; ++i, column += stride, at += stride * step)
    runs[i] = column >= 0 && column < width ? row + at : zeros;
}

/// The runs of the next `count` positions, those of a tile: runs[tap * count + i].
void FindRuns(const ConvArgs& args, const float* src, const float* zeros, ConvPositions* at,
              std::int64_t count, const float** runs) {
  const ConvProblem& s = args.problem;
  const std::int64_t step = args.src_step(), image_floats = step * volume(s.input);
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < count; i += n) {
    n = std::min(count - i, at->left_in_row());
    const float* image = src + at->image() * image_floats;
    const float** to = runs + i;
    for (std::int64_t kd = 0; kd < s.kernel[0]; ++kd) {
      const std::int64_t d = at->corner(0) + kd * s.dilate[0];
      for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh) {
        const std::int64_t h = at->corner(1) + kh * s.dilate[1];
        const bool inside = d >= 0 && d < s.input[0] && h >= 0 && h < s.input[1];
        const float* row = inside ? image + (d * s.input[1] + h) * s.input[2] * step : zeros;
        const std::int64_t width = inside ? s.input[2] : 0;
        for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw, to += count)
          FindRunsOfRow(row, at->corner(2) + kw * s.dilate[2], s.stride[2], width, step, zeros, n, to);
      }
    }
    at->advance(n);
  }
}

void RunTask(const ConvArgs& args, const TaskCut& c, std::int64_t task, float* scratch) {
  const ConvProblem& s = args.problem;
  const std::int64_t panel_block = task % c.panel_blocks;
  const std::int64_t block = task / c.panel_blocks % c.blocks;
  const std::int64_t group = task / c.panel_blocks / c.blocks;
  const std::int64_t first = block * c.block;
  const std::int64_t count = std::min(c.block, c.rows - first);
  const std::int64_t taps = volume(s.kernel), channels = s.group_channels(), filters = s.group_filters();

  if (args.border != nullptr) {
    std::copy_n(args.border + group * channels, channels, scratch);
  } else {
    std::fill_n(scratch, channels, 0.0f);
  }
  const auto table = reinterpret_cast<const float**>(scratch + ZeroFloats(s));
  const float* src = typed<float>(args.src) + group * channels;
  if (is_pointwise(s)) {
    for (std::int64_t i = 0; i < count; ++i) table[i] = src + (first + i) * args.src_step();
  } else {
    const panel::RowTiles tiles(count);
    ConvPositions at(s, first);
    for (std::int64_t i = 0; i < tiles.tiles; ++i)
      FindRuns(args, src, scratch, &at, tiles.count(i), table + tiles.first(i) * taps);
  }
  panel::TileArgs t{};
  t.runs = taps;
  t.run_length = channels;
  t.residual_stride = s.filters;
  t.dst_stride = args.dst_step();
  t.dst = typed<float>(args.dst) + first * t.dst_stride + group * filters;
  if (args.bias != nullptr) t.bias = typed<float>(args.bias) + group * filters;
  if (args.residual != nullptr)
    t.residual = typed<float>(args.residual) + first * s.filters + group * filters;
  if (args.slopes != nullptr) t.slopes = args.slopes + group * filters;
  t.post_ops = &args.post_ops;
  const float* weight = typed<float>(args.weight) + group * PackedColumns(filters) * s.depth();
  MultiplyPanels(t, table, count, weight, filters, panel_block * c.task_panels,
                 std::min(c.panels, (panel_block + 1) * c.task_panels), nullptr, kDepthSteps);
}

void Run(const ConvArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const TaskCut cut = CutOf(args.problem);
  for (std::int64_t task = begin; task < end; ++task) RunTask(args, cut, task, scratch);
}

Work WorkOf(const ConvProblem& s) {
  const TaskCut c = CutOf(s);
  // Finding the runs of a position takes as long as so many operations: for any, and for each tap.
  constexpr double kFindingFlops = 30, kTapFlops = 50;
  const double finding =
      kFindingFlops + (is_pointwise(s) ? 0 : kTapFlops * static_cast<double>(volume(s.kernel)));
  Work work;
  work.flops = static_cast<double>(s.groups * c.rows) * finding +
               static_cast<double>(s.groups) * TileFlops(c.rows, c.block, PackedColumns(s.group_filters()),
                                                         volume(s.kernel), s.group_channels());
  work.weight_bytes = passed_weight_bytes(PackedPanelElements(s), c.blocks);
  work.activation_bytes = activation_bytes(s, sizeof(float));
  return work;
}

constexpr ConvImpl kImpl{"conv_nhwc_direct_f32",  kPanelPacking, float_bytes<PackedPanelElements>,
                         pack_floats<PackPanels>, Tasks,         float_bytes<ScratchElements>,
                         run_floats<Run>,         WorkOf};

}  // namespace

const ConvImpl& ConvDirectImpl() {
  return kImpl;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvDirectImpl);

const ConvImpl& conv_direct(Target target) {
  return MXINFER_DISPATCH(ConvDirectImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
