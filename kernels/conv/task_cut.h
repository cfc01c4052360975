// How a convolution that is computed as GEMM, rows by panels of filters, is cut into tasks: blocks of rows by
// some panels.
//
//   const TaskCut c = cut_tasks(rows, {least, most, tile_rows}, panels, groups, shape.task_hint);
//   for (task = 0; task < groups * c.blocks * c.panel_blocks; ++task) ...
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/common/divide.h"

namespace mxinfer::kernels {

struct TaskCut {
  std::int64_t rows = 0, block = 0, blocks = 0;                ///< in all; in a task; blocks of rows
  std::int64_t panels = 0, task_panels = 0, panel_blocks = 0;  ///< in a group; in a task; blocks of panels
};

/// Rows of a block: at least `least`, even if that makes few tasks, at most `most`, in whole tiles.
struct BlockRows {
  std::int64_t least, most, tile;
};

/// If blocks of rows make too few tasks, panels are divided too.
inline TaskCut cut_tasks(std::int64_t rows, const BlockRows& of_block, std::int64_t panels,
                         std::int64_t groups, std::int64_t task_hint) {
  TaskCut c;
  c.rows = rows;
  const std::int64_t blocks =
      std::max(ceil_div(rows, of_block.most), std::min(task_hint, ceil_div(rows, of_block.least)));
  c.block = round_up(ceil_div(rows, blocks), of_block.tile);
  c.blocks = ceil_div(rows, c.block);
  c.panels = panels;
  c.task_panels = ceil_div(panels, std::min(panels, ceil_div(task_hint, groups * c.blocks)));
  c.panel_blocks = ceil_div(panels, c.task_panels);
  return c;
}

/// Rows of each tile but the last, for `rows` rows: as equal as they can be, because a tile of few rows waits
/// for its own sums. Tiles that read whole take whole ones. Tile has `rows` and `reads_whole`.
template <class Tile>
constexpr std::int64_t tile_step(const Tile& tile, std::int64_t rows) {
  return tile.reads_whole ? tile.rows : ceil_div(rows, ceil_div(rows, tile.rows));
}

}  // namespace mxinfer::kernels
