// How a convolution that is computed as products, rows by panels of filters, is cut into tasks: blocks of
// rows by some panels.
//
//   const TaskCut c = cut_tasks(rows, {least, most, tile_rows}, panels, groups, shape.wanted_tasks);
//   for (task = 0; task < groups * c.blocks * c.panel_blocks; ++task) ...
#pragma once

#include <algorithm>
#include <cstdint>

namespace mxinfer::kernels {

struct TaskCut {
  std::int64_t rows = 0, block = 0, blocks = 0;                ///< all of them; of a task; how many such
  std::int64_t panels = 0, task_panels = 0, panel_blocks = 0;  ///< of a group; of a task; how many such
};

/// Rows of a block: no fewer than `least` for the sake of more tasks, no more than `most`, in whole tiles.
struct BlockRows {
  std::int64_t least, most, tile;
};

/// Where blocks of rows are too few tasks, panels are dealt out as well.
inline TaskCut cut_tasks(std::int64_t rows, const BlockRows& of_block, std::int64_t panels,
                         std::int64_t groups, std::int64_t wanted) {
  const auto ceil_div = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  TaskCut c;
  c.rows = rows;
  const std::int64_t blocks =
      std::max(ceil_div(rows, of_block.most), std::min(wanted, ceil_div(rows, of_block.least)));
  c.block = ceil_div(ceil_div(rows, blocks), of_block.tile) * of_block.tile;
  c.blocks = ceil_div(rows, c.block);
  c.panels = panels;
  c.task_panels = ceil_div(panels, std::min(panels, ceil_div(wanted, groups * c.blocks)));
  c.panel_blocks = ceil_div(panels, c.task_panels);
  return c;
}

}  // namespace mxinfer::kernels
