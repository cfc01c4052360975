#include "kernels/conv/bf16/bf16_pointwise.h"

#include <cstring>

#include "kernels/common/limits.h"
#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/task_cut.h"

namespace mxinfer::kernels::bf16 {
namespace {

bool reads_in_place(const Bf16Tile& tile, std::int64_t channels, std::int64_t count) {
  if (tile.reads_whole) return channels % (2 * kBf16DepthPairs) == 0 && count % tile.rows == 0;
  return channels % 2 == 0;
}

}  // namespace

void multiply_panel(const Bf16Parts& parts, const Rows& rows, const Panel& panel, Bf16PostOpsArgs post) {
  const Bf16Tile& tile = *parts.tile;
  alignas(64) float sums[kBf16MostRows * kBf16PanelColumns];
  // Sums that have the layout of the results are made where these go.
  const bool in_place = post.dst == nullptr && post.dst_stride == kBf16PanelColumns && !tile.reads_whole;
  Bf16TileArgs t;
  t.row_stride = rows.stride;
  t.width = panel.width;
  t.pairs = panel.pairs;
  t.panel = panel.first;
  const Limits limits = limits_of(*post.post_ops);
  const bool is_limited = in_place && tile.limits && limits.exist && post.bias != nullptr &&
                          post.residual == nullptr && post.columns == panel.width;
  if (is_limited) {
    t.bias = post.bias;
    t.low = limits.low;
    t.high = limits.high;
  }
  const std::int64_t step = tile_step(tile, rows.count);
  t.prefetch_step = ceil_div(t.width * kPairBytes, ceil_div(rows.count, step));
  t.prefetch = reinterpret_cast<const std::byte*>(t.panel + t.width * panel.padded_pairs);
  for (std::int64_t i = 0; i < rows.count; i += step, t.prefetch += t.prefetch_step * t.pairs) {
    post.rows = t.row_count = std::min(step, rows.count - i);
    t.rows = rows.first + i * rows.stride;
    post.sums = t.sums = in_place ? post.dst_f32 : sums;
    tile.multiply(t);
    if (!is_limited) parts.post_ops(post);
    const std::int64_t passed = step * post.dst_stride;
    if (post.residual != nullptr) post.residual += passed;
    if (post.dst != nullptr) {
      post.dst += passed;
    } else {
      post.dst_f32 += passed;
    }
  }
}

std::size_t pointwise_scratch_bytes(const Bf16Tile& tile, const ConvProblem& problem, std::int64_t count) {
  if (!tile.reads_whole && reads_in_place(tile, problem.channels, count)) return 0;
  return static_cast<std::size_t>(round_up(count, tile.rows) * row_stride(problem.channels)) *
         sizeof(BFloat16);
}

Rows pointwise_rows(const Bf16Tile& tile, const ConvProblem& problem, const BFloat16* src, std::int64_t count,
                    std::byte* scratch) {
  const std::int64_t channels = problem.channels;
  if (reads_in_place(tile, channels, count)) return {src, channels, count};
  const auto run = static_cast<std::size_t>(channels) * sizeof(BFloat16);
  const std::int64_t stride = row_stride(channels);
  const auto behind = static_cast<std::size_t>(2 * padded_pairs(channels) - channels) * sizeof(BFloat16);
  auto* rows = reinterpret_cast<BFloat16*>(scratch);
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(rows + i * stride, src + i * channels, run);
    std::memset(static_cast<void*>(rows + i * stride + channels), 0, behind);
  }
  return {rows, stride, count};
}

void pointwise_panel(const Bf16Parts& parts, const ConvArgs& args, const Rows& rows, std::int64_t column,
                     const PanelTarget& target) {
  const ConvProblem& s = args.problem;
  const std::int64_t padded = padded_pairs(s.channels);
  const Panel panel{typed<std::uint32_t>(args.weight) + column * padded, width_at(s.filters, column),
                    ceil_div(s.channels, 2), padded};
  Bf16PostOpsArgs post;
  post.post_ops = &args.post_ops;
  post.columns = std::min(kBf16PanelColumns, s.filters - column);
  if (args.bias != nullptr) post.bias = typed<float>(args.bias) + column;
  post.residual = target.residual;
  post.dst = target.dst;
  post.dst_f32 = target.dst_f32;
  post.dst_stride = target.stride;
  multiply_panel(parts, rows, panel, post);
}

}  // namespace mxinfer::kernels::bf16
