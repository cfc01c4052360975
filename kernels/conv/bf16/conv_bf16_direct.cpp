// conv_bf16_direct: how the work is cut, how weights are packed.
#include <algorithm>
#include <cstring>

#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/bf16/bf16_pointwise.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/conv_positions.h"
#include "kernels/conv/gather_rows.h"
#include "kernels/conv/task_cut.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kMostPositions = 240;

std::int64_t pairs_of(const ConvProblem& s) {
  return ceil_div(s.depth(), 2);
}
std::int64_t padded_pairs(const ConvProblem& s) {
  return bf16::padded_pairs(s.depth());
}
/// Columns of the panels of a group as they are packed.
std::int64_t packed_columns(const ConvProblem& s) {
  return bf16::packed_columns(s.group_filters());
}
std::int64_t width_at(const ConvProblem& s, std::int64_t first) {
  return bf16::width_at(s.group_filters(), first);
}
std::int64_t gathered_stride(const ConvProblem& s) {
  return bf16::row_stride(s.depth());
}

/// Rows are positions.
TaskCut cut_of(const ConvProblem& s, const Bf16Tile& tile) {
  const std::int64_t fitting = std::min(kMostPositions, bf16::kBlockElements / gathered_stride(s));
  const std::int64_t most = std::max(tile.rows, fitting / tile.rows * tile.rows);
  return cut_tasks(s.batch * volume(s.output), {2 * tile.rows, most, tile.reads_whole ? tile.rows : 1},
                   ceil_div(s.group_filters(), kBf16PanelColumns), s.groups, s.task_hint);
}

/// Whether the positions of src can be the rows of the GEMM as they are.
bool reads_in_place(const ConvProblem& s, const Bf16Tile& tile, std::int64_t count) {
  if (!is_pointwise(s)) return false;
  if (tile.reads_whole) return s.group_channels() % (2 * kBf16DepthPairs) == 0 && count % tile.rows == 0;
  return s.group_channels() % 2 == 0;
}

/// The rows of a task, in place or gathered into `scratch`.
bf16::Rows rows_of(const ConvArgs& args, const Bf16Tile& tile, std::int64_t group, std::int64_t first,
                   std::int64_t count, std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const BFloat16* src = typed<BFloat16>(args.src) + group * s.group_channels();
  if (reads_in_place(s, tile, count)) return {src + first * s.channels, s.channels, count};
  auto* rows = reinterpret_cast<BFloat16*>(scratch);
  constexpr std::int64_t kBytes = sizeof(BFloat16);
  gather_rows(s, {static_cast<const std::byte*>(args.src), kBytes}, group, first, count,
              {scratch, gathered_stride(s) * kBytes, 2 * padded_pairs(s) * kBytes});
  return {rows, gathered_stride(s), count};
}

/// The rows, positions from `first` on, by one panel of filters, those of the group from `column` on.
void run_panel(const Bf16Parts& parts, const ConvArgs& args, const bf16::Rows& rows, std::int64_t group,
               std::int64_t first, std::int64_t column) {
  const ConvProblem& s = args.problem;
  const std::int64_t filter = group * s.group_filters() + column;
  const auto* weight = typed<std::uint32_t>(args.weight);
  const bf16::Panel panel{weight + (group * packed_columns(s) + column) * padded_pairs(s),
                          width_at(s, column), pairs_of(s), padded_pairs(s)};
  Bf16PostOpsArgs post;
  post.post_ops = &args.post_ops;
  post.columns = std::min(kBf16PanelColumns, s.group_filters() - column);
  post.dst_stride = args.dst_step();
  if (args.bias != nullptr) post.bias = typed<float>(args.bias) + filter;
  bf16::place_at(args, first, filter, &post);
  bf16::multiply_panel(parts, rows, panel, post);
}

std::int64_t packed_elements(const ConvProblem& s) {
  return s.groups * packed_columns(s) * padded_pairs(s);
}

/// Rows of a panel that are packed at a time, so that they stay in cache while its filters pass.
constexpr std::int64_t kPackedRows = 32;

/// `count` factors of a filter from the k-th on, in the order of a row: all channels of a position of the
/// filter, then those of the next one.
void read_factors(const ConvProblem& s, const float* filter, std::int64_t k, std::int64_t count, float* dst) {
  const std::int64_t channels = s.group_channels(), taps = volume(s.kernel);
  std::int64_t tap = k / channels, channel = k % channels;
  for (std::int64_t done = 0; done < count; ++tap, channel = 0) {
    const std::int64_t run = std::min(count - done, channels - channel);
    const float* from = filter + channel * taps + tap;
    for (std::int64_t i = 0; i < run; ++i) dst[done + i] = from[i * taps];
    done += run;
  }
}

/// The panel of `count` filters, of rows of `width` pairs; zeros if there is no such filter or factor.
void pack_panel(const ConvProblem& s, const float* filters, std::int64_t count, std::int64_t width,
                std::uint32_t* panel) {
  constexpr std::int64_t kFactors = 2 * kPackedRows;
  const std::int64_t depth = s.depth(), rows = padded_pairs(s);
  for (std::int64_t first = 0; first < rows; first += kPackedRows) {
    const std::int64_t some = std::min(kPackedRows, rows - first);
    for (std::int64_t x = 0; x < width; ++x) {
      float factors[kFactors] = {};
      if (x < count) {
        const std::int64_t there = std::clamp<std::int64_t>(depth - 2 * first, 0, kFactors);
        read_factors(s, filters + x * depth, 2 * first, there, factors);
      }
      BFloat16 rounded[kFactors];
      for (std::int64_t i = 0; i < kFactors; ++i) rounded[i] = BFloat16(factors[i]);
      for (std::int64_t p = 0; p < some; ++p)
        std::memcpy(panel + (first + p) * width + x, rounded + 2 * p, sizeof(std::uint32_t));
    }
  }
}

}  // namespace

std::size_t Bf16Direct::packed_bytes(const ConvProblem& s) {
  return static_cast<std::size_t>(packed_elements(s)) * sizeof(std::uint32_t);
}

void Bf16Direct::pack(const ConvProblem& s, const float* weight, std::byte* packed) {
  auto* panels = reinterpret_cast<std::uint32_t*>(packed);
  const std::int64_t filters = s.group_filters();
  for (std::int64_t g = 0; g < s.groups; ++g) {
    for (std::int64_t first = 0; first < packed_columns(s); first += kBf16PanelColumns) {
      const std::int64_t width = width_at(s, first);
      pack_panel(s, weight + (g * filters + first) * s.depth(), std::min(width, filters - first), width,
                 panels);
      panels += padded_pairs(s) * width;
    }
  }
}

std::int64_t Bf16Direct::tasks(const Bf16Tile& tile, const ConvProblem& s) {
  const TaskCut c = cut_of(s, tile);
  return s.groups * c.blocks * c.panel_blocks;
}

std::size_t Bf16Direct::scratch_bytes(const Bf16Tile& tile, const ConvProblem& s) {
  const std::int64_t rows = cut_of(s, tile).block;
  if (!tile.reads_whole && reads_in_place(s, tile, rows)) return 0;
  return static_cast<std::size_t>(rows * gathered_stride(s)) * sizeof(BFloat16);
}

void Bf16Direct::run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                     std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const TaskCut c = cut_of(s, *parts.tile);
  if (parts.tile->begin != nullptr) parts.tile->begin();
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t panel = task % c.panel_blocks * c.task_panels;
    const std::int64_t first = task / c.panel_blocks % c.blocks * c.block;
    const std::int64_t group = task / c.panel_blocks / c.blocks;
    const std::int64_t count = std::min(c.block, c.rows - first);
    const bf16::Rows rows = rows_of(args, *parts.tile, group, first, count, scratch);
    for (std::int64_t p = panel; p < std::min(c.panels, panel + c.task_panels); ++p)
      run_panel(parts, args, rows, group, first, p * kBf16PanelColumns);
  }
  if (parts.tile->end != nullptr) parts.tile->end();
}

Work Bf16Direct::work(const Bf16Tile& tile, const ConvProblem& s) {
  const TaskCut c = cut_of(s, tile);
  Work work;
  work.flops =
      static_cast<double>(s.groups) * bf16::tile_flops(tile, c.rows, c.block, packed_columns(s), s.depth());
  work.weight_bytes = passed_weight_bytes(packed_elements(s), c.blocks);
  // Rows are gathered once for each part of the panels: written, and read again.
  if (!is_pointwise(s)) {
    work.cache_bytes =
        2.0 * sizeof(BFloat16) * static_cast<double>(s.groups * c.panel_blocks * c.rows * s.depth());
  }
  work.activation_bytes = activation_bytes(s, sizeof(BFloat16));
  return work;
}

}  // namespace mxinfer::kernels
