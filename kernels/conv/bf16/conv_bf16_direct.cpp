// conv_bf16_direct: how the work is cut, how rows are gathered, how weights are packed.
#include <algorithm>
#include <cstring>

#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/bf16/bf16_pointwise.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/conv_positions.h"
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

/// Short runs are copied and cleared by whole chunks: up to kChunk - 1 elements more are written.
constexpr std::int64_t kChunk = 8;

/// `end`: of the memory that may be read.
inline void copy_run(const BFloat16* from, std::int64_t count, const BFloat16* end, BFloat16* to) {
  // Longer runs are worth a call of memcpy.
  constexpr std::int64_t kMostChunks = 8;
  const std::int64_t whole = round_up(count, kChunk);
  if (whole > kMostChunks * kChunk || end - from < whole) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(BFloat16));
    return;
  }
  for (std::int64_t i = 0; i < whole; i += kChunk) std::memcpy(to + i, from + i, kChunk * sizeof(BFloat16));
}
void clear_run(BFloat16* to, std::int64_t count) {
  constexpr BFloat16 kZeros[kChunk] = {};
  for (std::int64_t i = 0; i < count; i += kChunk) std::memcpy(to + i, kZeros, sizeof(kZeros));
}

/// What rows are gathered from. By value, so that the compiler knows that stores do not alias it.
struct Pixels {
  const BFloat16 *data, *end;  ///< the group's channels of all images; `end` is that of all channels
  std::int64_t width, step;    ///< positions of a line; elements from one to the next
  std::int64_t channels, taps, dilate;
  bool together;  ///< whether the taps of a row of the filter are one run
};

Pixels pixels_of(const ConvArgs& args, std::int64_t group) {
  const ConvProblem& s = args.problem;
  Pixels p{};
  p.data = typed<BFloat16>(args.src) + group * s.group_channels();
  p.end = typed<BFloat16>(args.src) + s.batch * volume(s.input) * s.channels;
  p.width = s.input[2];
  p.step = s.channels;
  p.channels = s.group_channels();
  p.taps = s.kernel[2];
  p.dilate = s.dilate[2];
  p.together = s.groups == 1 && s.dilate[2] == 1;
  return p;
}

/// The taps of a row of the filter, from column `left` of `line` on; one run: they follow each other.
inline void gather_taps(const Pixels p, const BFloat16* line, std::int64_t left, bool one_run, BFloat16* to) {
  if (one_run) {
    copy_run(line + left * p.step, p.taps * p.channels, p.end, to);
    return;
  }
  for (std::int64_t kw = 0, w = left; kw < p.taps; ++kw, w += p.dilate, to += p.channels) {
    if (w < 0 || w >= p.width) {
      clear_run(to, p.channels);
    } else {
      copy_run(line + w * p.step, p.channels, p.end, to);
    }
  }
}

/// Positions [first, first + count) as rows [tap][channel], padded with zeros. Each run may overwrite the
/// start of the next one, which is written later, and the last the padding behind its row.
void gather(const ConvProblem& s, const Pixels p, std::int64_t first, std::int64_t count, BFloat16* rows) {
  const std::int64_t stride = gathered_stride(s), run = p.taps * p.channels, line_step = p.width * p.step;
  const std::int64_t depth = s.input[0], height = s.input[1], image_step = depth * height * line_step;
  const std::int64_t kernel_d = s.kernel[0], kernel_h = s.kernel[1];
  const std::int64_t dilate_d = s.dilate[0], dilate_h = s.dilate[1];
  const std::int64_t behind = 2 * padded_pairs(s) - s.depth();
  ConvPositions at(s, first);
  for (std::int64_t i = 0; i < count; ++i, rows += stride, at.advance(1)) {
    const BFloat16* image = p.data + at.image() * image_step;
    const std::int64_t top = at.corner(1), left = at.corner(2);
    const bool one_run = p.together && left >= 0 && left + p.taps <= p.width;
    BFloat16* to = rows;
    for (std::int64_t kd = 0, d = at.corner(0); kd < kernel_d; ++kd, d += dilate_d) {
      for (std::int64_t kh = 0, h = top; kh < kernel_h; ++kh, h += dilate_h, to += run) {
        if (d >= 0 && d < depth && h >= 0 && h < height) {
          gather_taps(p, image + (d * height + h) * line_step, left, one_run, to);
        } else {
          clear_run(to, run);
        }
      }
    }
    clear_run(to, behind);
  }
}

/// The rows of a task, in place or gathered into `scratch`.
bf16::Rows rows_of(const ConvArgs& args, const Bf16Tile& tile, std::int64_t group, std::int64_t first,
                   std::int64_t count, std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const BFloat16* src = typed<BFloat16>(args.src) + group * s.group_channels();
  if (reads_in_place(s, tile, count)) return {src + first * s.channels, s.channels, count};
  auto* rows = reinterpret_cast<BFloat16*>(scratch);
  gather(s, pixels_of(args, group), first, count, rows);
  return {rows, gathered_stride(s), count};
}

/// The rows, positions from `first` on, by one panel of filters, those of the group from `column` on.
void run_panel(const Bf16Parts& parts, const ConvArgs& args, const bf16::Rows& rows, std::int64_t group,
               std::int64_t first, std::int64_t column) {
  const ConvProblem& s = args.problem;
  const std::int64_t filter = group * s.group_filters() + column, at = first * s.filters + filter;
  const auto* weight = typed<std::uint32_t>(args.weight);
  const bf16::Panel panel{weight + (group * packed_columns(s) + column) * padded_pairs(s),
                          width_at(s, column), pairs_of(s), padded_pairs(s)};
  Bf16PostOpsArgs post;
  post.post_ops = &args.post_ops;
  post.columns = std::min(kBf16PanelColumns, s.group_filters() - column);
  post.dst_stride = s.filters;
  if (args.bias != nullptr) post.bias = typed<float>(args.bias) + filter;
  if (args.residual != nullptr) post.residual = typed<BFloat16>(args.residual) + at;
  if (args.dst_is_float32) {
    post.dst_f32 = typed<float>(args.dst) + at;
  } else {
    post.dst = typed<BFloat16>(args.dst) + at;
  }
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
