// conv_bf16_lines: filters of stride 1 without a gather. A task copies the lines of its inputs once, with
// zeros around them; then a position's row of factors is one run for each tap, and the positions that follow
// have theirs one pixel further. So a tile reads the same copy at each tap, from another start. Positions
// over the zeros are computed too, and dropped.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/task_cut.h"

namespace mxinfer::kernels {
namespace {

/// Positions of a task, at least: each reads all weights.
constexpr std::int64_t kLeastPositions = 64;

struct Lines : TaskCut {    // rows are lines of outputs of an image
  std::int64_t pixel = 0;   ///< elements from a pixel of the copy to the next
  std::int64_t width = 0;   ///< pixels of a line, with the zeros
  std::int64_t below = 0;   ///< lines that the filter reaches below its first
  std::int64_t right = 0;   ///< pixels that it reaches to the right
  std::int64_t copied = 0;  ///< elements of the copy

  /// Pixels of the copy of `lines` lines of outputs, with those that the last tile reads beyond.
  std::int64_t pixels(std::int64_t lines) const { return (lines + below) * width + right + kBf16MostRows; }
};

Lines lines_of(const ConvProblem& s) {
  Lines c;
  c.pixel = bf16::row_stride(s.channels);
  c.width = s.input[2] + 2 * s.pad[2];
  c.below = (s.kernel[1] - 1) * s.dilate[1];
  c.right = (s.kernel[2] - 1) * s.dilate[2];
  const std::int64_t least = ceil_div(kLeastPositions, c.width);
  const std::int64_t most = std::max(least, bf16::kBlockElements / (c.width * c.pixel) - c.below);
  static_cast<TaskCut&>(c) = cut_tasks(s.output[1], {least, most, 1}, ceil_div(s.filters, kBf16PanelColumns),
                                       s.batch, ceil_div(s.task_hint, s.batch));
  c.copied = c.pixels(c.block) * c.pixel;
  return c;
}

/// Copies what outputs of lines [first, first + lines) of an image read.
void copy_lines(const ConvProblem& s, const Lines& c, const BFloat16* image, std::int64_t first,
                std::int64_t lines, BFloat16* to) {
  std::fill_n(to, c.pixels(lines) * c.pixel, BFloat16{});
  for (std::int64_t line = 0; line < lines + c.below; ++line) {
    const std::int64_t h = first + line - s.pad[1];
    if (h < 0 || h >= s.input[1]) continue;
    const BFloat16* from = image + h * s.input[2] * s.channels;
    BFloat16* pixel = to + (line * c.width + s.pad[2]) * c.pixel;
    for (std::int64_t w = 0; w < s.input[2]; ++w, from += s.channels, pixel += c.pixel)
      std::memcpy(pixel, from, static_cast<std::size_t>(s.channels) * sizeof(BFloat16));
  }
}

/// The starts of the taps, from that of the first.
struct Taps {
  static constexpr std::int64_t kMost = 64;
  std::array<std::int64_t, kMost> offsets{};
  std::int64_t count = 0;

  Taps(const ConvProblem& s, const Lines& c) {
    for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh) {
      for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw) {
        offsets[static_cast<std::size_t>(count++)] =
            (kh * s.dilate[1] * c.width + kw * s.dilate[2]) * c.pixel;
      }
    }
  }
};

/// What stays the same in a task.
struct Task {
  const Bf16Parts& parts;
  const ConvArgs& args;
  const Lines& cut;
  const Taps& taps;
  std::int64_t image, first, lines;
  const BFloat16* copy;
};

/// Applies the post-ops to the sums of positions [from, from + count) of the copy and stores those that are
/// outputs.
void store(const Task& task, Bf16PostOpsArgs post, float* sums, std::int64_t from, std::int64_t count,
           std::int64_t filter) {
  const ConvProblem& s = task.args.problem;
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t line = (from + i) / task.cut.width, x = (from + i) % task.cut.width;
    const std::int64_t run = std::min(count - i, task.cut.width - x);
    if (x < s.output[2]) {
      const std::int64_t position = (task.image * s.output[1] + task.first + line) * s.output[2] + x;
      post.rows = std::min(run, s.output[2] - x);
      post.sums = sums + i * kBf16PanelColumns;
      bf16::place_at(task.args, position, filter, &post);
      task.parts.post_ops(post);
    }
    i += run;
  }
}

void run_panel(const Task& task, std::int64_t filter) {
  const ConvProblem& s = task.args.problem;
  const Bf16Tile& tile = *task.parts.tile;
  alignas(64) float sums[kBf16MostRows * kBf16PanelColumns];
  const std::int64_t positions = task.lines * task.cut.width - task.cut.right;
  Bf16TileArgs t;
  t.row_stride = task.cut.pixel;
  t.row_count = tile.rows;
  t.width = bf16::width_at(s.filters, filter);
  t.pairs = s.channels / 2;
  t.runs = task.taps.count;
  t.run_offsets = task.taps.offsets.data();
  t.panel = typed<std::uint32_t>(task.args.weight) + filter * t.runs * t.pairs;
  t.sums = sums;
  t.prefetch_step = ceil_div(t.width * bf16::kPairBytes, ceil_div(positions, tile.rows));
  t.prefetch = reinterpret_cast<const std::byte*>(t.panel + t.width * t.runs * t.pairs);
  Bf16PostOpsArgs post;
  post.post_ops = &task.args.post_ops;
  post.columns = std::min(kBf16PanelColumns, s.filters - filter);
  post.dst_stride = task.args.dst_step();
  if (task.args.bias != nullptr) post.bias = typed<float>(task.args.bias) + filter;
  for (std::int64_t at = 0; at < positions; at += tile.rows) {
    t.rows = task.copy + at * task.cut.pixel;
    tile.multiply(t);
    t.prefetch += t.prefetch_step * t.runs * t.pairs;
    store(task, post, sums, at, std::min(tile.rows, positions - at), filter);
  }
}

}  // namespace

std::int64_t Bf16Lines::tasks(const Bf16Tile& /*tile*/, const ConvProblem& s) {
  const Lines c = lines_of(s);
  return s.batch * c.blocks * c.panel_blocks;
}

std::size_t Bf16Lines::scratch_bytes(const Bf16Tile& /*tile*/, const ConvProblem& s) {
  return static_cast<std::size_t>(lines_of(s).copied) * sizeof(BFloat16);
}

void Bf16Lines::run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                    std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const Lines c = lines_of(s);
  const Taps taps(s, c);
  auto* copy = reinterpret_cast<BFloat16*>(scratch);
  if (parts.tile->begin != nullptr) parts.tile->begin();
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t panel = task % c.panel_blocks * c.task_panels;
    const std::int64_t first = task / c.panel_blocks % c.blocks * c.block;
    const std::int64_t image = task / c.panel_blocks / c.blocks;
    const std::int64_t lines = std::min(c.block, c.rows - first);
    copy_lines(s, c, typed<BFloat16>(args.src) + image * volume(s.input) * s.channels, first, lines, copy);
    for (std::int64_t p = panel; p < std::min(c.panels, panel + c.task_panels); ++p)
      run_panel({parts, args, c, taps, image, first, lines, copy}, p * kBf16PanelColumns);
  }
  if (parts.tile->end != nullptr) parts.tile->end();
}

Work Bf16Lines::work(const Bf16Tile& tile, const ConvProblem& s) {
  const Lines c = lines_of(s);
  Work work;
  const std::int64_t blocks = s.batch * c.blocks;
  work.flops = bf16::tile_flops(tile, blocks * c.block * c.width, c.block * c.width,
                                bf16::packed_columns(s.filters), s.depth());
  work.weight_bytes = passed_weight_bytes(bf16::packed_columns(s.filters) * s.depth() / 2, blocks);
  work.cache_bytes = 2.0 * sizeof(BFloat16) * static_cast<double>(blocks * c.panel_blocks * c.copied);
  work.activation_bytes = activation_bytes(s, sizeof(BFloat16));
  return work;
}

}  // namespace mxinfer::kernels
