#include "kernels/conv/int8/int8_direct.h"

#include <algorithm>

#include "kernels/common/divide.h"
#include "kernels/conv/conv_positions.h"
#include "kernels/conv/gather_rows.h"
#include "kernels/conv/int8/int8_panels.h"
#include "kernels/conv/int8/int8_post_ops.h"
#include "kernels/conv/task_cut.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kLeastPositions = 48, kMostPositions = 240;
/// Of all rows of a task: they stay in the second-level cache while the panels pass.
constexpr std::int64_t kBlockBytes = 192 * 1024;

/// A cache line more than the words, so that rows do not all fall into the same few cache sets.
std::int64_t gathered_stride(const ConvProblem& s, const Int8Tile& tile) {
  return int8::padded_words(s, tile) * int8::kWordBytes + kGatherSlack;
}

TaskCut cut_of(const ConvProblem& s, const Int8Tile& tile) {
  const std::int64_t fitting = std::min(kMostPositions, kBlockBytes / gathered_stride(s, tile));
  const std::int64_t most = std::max(tile.rows, fitting / tile.rows * tile.rows);
  // Few rows would pass over the panels in little more time than it takes to hand them over.
  const std::int64_t least = std::max<std::int64_t>(2 * tile.rows, kLeastPositions);
  return cut_tasks(s.batch * volume(s.output),
                   {least, std::max(least, most), tile.reads_whole ? tile.rows : 1},
                   ceil_div(s.group_filters(), kInt8PanelColumns), s.groups, s.task_hint);
}

/// Whether the positions of src can be the rows of the GEMM as they are.
bool reads_in_place(const ConvProblem& s, const Int8Tile& tile, std::int64_t count) {
  if (!is_pointwise(s) || tile.widen != nullptr) return false;
  const std::int64_t step = tile.reads_whole ? int8::kWordBytes * kInt8DepthWords : int8::kWordBytes;
  return s.group_channels() % step == 0 && (!tile.reads_whole || count % tile.rows == 0);
}

struct Rows {
  const std::uint8_t* first;
  std::int64_t stride, count;
};

/// `count` gathered rows of 16-bit integers. Bytes are gathered into the second half of each row, of which
/// widening overwrites only what it has read.
void gather_widened(const Int8ConvArgs& args, const Int8Tile& tile, std::int64_t group, std::int64_t first,
                    std::int64_t count, std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const std::int64_t stride = gathered_stride(s, tile), padded = int8::padded_words(s, tile) * 2;
  gather_rows(s, {static_cast<const std::byte*>(args.src), 1}, group, first, count,
              {scratch + padded, stride, padded});
  for (std::int64_t i = 0; i < count; ++i, scratch += stride) {
    tile.widen(reinterpret_cast<const std::uint8_t*>(scratch + padded), padded, args.src_type == Int8Type::s8,
               reinterpret_cast<std::int16_t*>(scratch));
  }
}

/// The rows of a task, in place or gathered into `scratch`.
Rows rows_of(const Int8ConvArgs& args, const Int8Tile& tile, std::int64_t group, std::int64_t first,
             std::int64_t count, std::byte* scratch) {
  const ConvProblem& s = args.problem;
  const auto* src = typed<std::uint8_t>(args.src) + group * s.group_channels();
  if (reads_in_place(s, tile, count)) return {src + first * s.channels, s.channels, count};
  const std::int64_t stride = gathered_stride(s, tile);
  if (tile.widen != nullptr) {
    gather_widened(args, tile, group, first, count, scratch);
  } else {
    gather_rows(s, {static_cast<const std::byte*>(args.src), 1}, group, first, count,
                {scratch, stride, int8::padded_words(s, tile) * int8::kWordBytes});
  }
  return {reinterpret_cast<const std::uint8_t*>(scratch), stride, count};
}

/// What the tasks of a call share.
struct Call {
  const Int8Tile& tile;
  const Int8ConvArgs& args;
  Int8PostOpsFn post_ops;
  Int8OverlappedFn overlapped;  ///< or null

  const std::uint32_t* panels(std::int64_t group) const {
    return reinterpret_cast<const std::uint32_t*>(args.weight) +
           group * int8::group_words(args.problem, tile);
  }
  /// What the sums of a panel start from.
  const std::int32_t* start(std::int64_t group, std::int64_t column) const {
    static constexpr std::int32_t kZeros[kInt8PanelColumns] = {};
    const bool is_signed = args.src_type == Int8Type::s8;
    if (tile.shifts != (is_signed ? ShiftedRows::signed_ones : ShiftedRows::unsigned_ones)) return kZeros;
    const ConvProblem& s = args.problem;
    return int8::starts(s, tile, args.weight, is_signed) + group * int8::packed_columns(s) + column;
  }
};

/// The tiles of a thread, one after another. If the tile can, it finishes the sums of the one before.
class Tiles {
 public:
  explicit Tiles(const Call& call) : call_(call) {}

  /// sums of `t` and `post` are set here.
  void run(Int8TileArgs& t, Int8PostOpsArgs& post) {
    post.sums = t.sums = sums_[turn_];
    if (call_.overlapped != nullptr && post.columns == kInt8PanelColumns) {
      call_.overlapped(t, earlier_);
      earlier_ = post;
      turn_ = 1 - turn_;
      return;
    }
    finish();
    call_.tile.multiply(t);
    call_.post_ops(post);
  }
  /// Makes the last sums into elements.
  void finish() {
    if (earlier_.rows != 0) call_.post_ops(earlier_);
    earlier_.rows = 0;
  }

 private:
  const Call& call_;
  Int8PostOpsArgs earlier_{.conv = &call_.args};
  std::size_t turn_ = 0;
  alignas(64) std::int32_t sums_[2][kInt8MostRows * kInt8PanelColumns];
};

/// The rows, positions from `first` on, by one panel of filters, those of the group from `column` on.
void run_panel(const Call& call, const Rows& rows, std::int64_t group, std::int64_t first,
               std::int64_t column, Tiles& tiles) {
  const Int8ConvArgs& args = call.args;
  const ConvProblem& s = args.problem;
  const std::int64_t filter = group * s.group_filters() + column;
  Int8PostOpsArgs post;
  post.conv = &args;
  post.columns = std::min(kInt8PanelColumns, s.group_filters() - column);
  post.dst_stride = s.filters;
  if (args.bias != nullptr) post.bias = args.bias + filter;
  if (args.scale != nullptr) post.scale = args.scale + filter;
  Int8TileArgs t;
  t.is_signed = args.src_type == Int8Type::s8;
  t.row_stride = rows.stride;
  t.width = int8::width_at(s, column);
  t.words = int8::words_of(s, call.tile);
  t.panel = call.panels(group) + column * int8::padded_words(s, call.tile);
  t.start = call.start(group, column);
  const std::int64_t step = tile_step(call.tile, rows.count);
  t.prefetch_step = ceil_div(t.width * int8::kWordBytes, ceil_div(rows.count, step));
  t.prefetch = reinterpret_cast<const std::byte*>(t.panel + t.width * int8::padded_words(s, call.tile));
  for (std::int64_t i = 0; i < rows.count; i += step, t.prefetch += t.prefetch_step * t.words) {
    const std::int64_t at = (first + i) * s.filters + filter;
    post.rows = t.row_count = std::min(step, rows.count - i);
    t.rows = rows.first + i * rows.stride;
    post.dst = static_cast<std::byte*>(args.dst) + at * bytes_of(args.dst_type);
    if (args.residual != nullptr)
      post.residual = static_cast<const std::byte*>(args.residual) + at * bytes_of(args.residual_type);
    tiles.run(t, post);
  }
}

}  // namespace

std::int64_t Int8Direct::tasks(const Int8Tile& tile, const ConvProblem& given) {
  const ConvProblem s = int8::with_merged_groups(given);
  const TaskCut c = cut_of(s, tile);
  return s.groups * c.blocks * c.panel_blocks;
}

std::size_t Int8Direct::scratch_bytes(const Int8Tile& tile, const ConvProblem& given) {
  const ConvProblem s = int8::with_merged_groups(given);
  const std::int64_t rows = cut_of(s, tile).block;
  if (!tile.reads_whole && reads_in_place(s, tile, rows)) return 0;
  return static_cast<std::size_t>(rows * gathered_stride(s, tile));
}

void Int8Direct::run(const Int8Tile& tile, Target target, const Int8ConvArgs& given, std::int64_t begin,
                     std::int64_t end, std::byte* scratch) {
  Int8ConvArgs args = given;
  args.problem = int8::with_merged_groups(given.problem);
  const ConvProblem& s = args.problem;
  const TaskCut c = cut_of(s, tile);
  const Call call{tile, args, int8_post_ops(args, target),
                  tile.overlapped != nullptr ? tile.overlapped(args) : nullptr};
  Tiles tiles(call);
  if (tile.begin != nullptr) tile.begin();
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t panel = task % c.panel_blocks * c.task_panels;
    const std::int64_t first = task / c.panel_blocks % c.blocks * c.block;
    const std::int64_t group = task / c.panel_blocks / c.blocks;
    const std::int64_t count = std::min(c.block, c.rows - first);
    const Rows rows = rows_of(args, tile, group, first, count, scratch);
    for (std::int64_t p = panel; p < std::min(c.panels, panel + c.task_panels); ++p)
      run_panel(call, rows, group, first, p * kInt8PanelColumns, tiles);
  }
  tiles.finish();
  if (tile.end != nullptr) tile.end();
}

}  // namespace mxinfer::kernels
