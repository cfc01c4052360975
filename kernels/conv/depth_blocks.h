// How the sum of a tile is cut by depth, so that the weights of a block stay in the first-level cache while
// all tiles of rows pass, and the next block comes from memory in the meantime.
//
//   const DepthBlocks blocks(runs, run_length, steps);
//   for (k = 0; k < blocks.count(); ++k) multiply(blocks.at(k));   // partial sums stay in dst in between
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/common/divide.h"

namespace mxinfer::kernels {

/// Part of a sum: `runs` runs from `first_run` on, and of each `length` elements from `offset` on.
struct DepthBlock {
  std::int64_t first_run, runs, offset, length;
  std::int64_t depth() const { return runs * length; }
};

/// A sum of `runs` runs of `run_length` elements each, in blocks of about `steps` elements: some whole runs,
/// or part of one. They follow from these sizes alone, so the order of the sum does too.
class DepthBlocks {
 public:
  /// One block if there are fewer than two times `steps` elements.
  DepthBlocks(std::int64_t runs, std::int64_t run_length, std::int64_t steps)
      : runs_(runs), run_length_(run_length), block_runs_(runs), piece_(run_length) {
    if (runs * run_length < 2 * steps) return;
    block_runs_ = std::max<std::int64_t>(1, ceil_div(runs, ceil_div(runs * run_length, steps)));
    if (block_runs_ == 1) piece_ = ceil_div(run_length, ceil_div(run_length, steps));
  }

  std::int64_t count() const { return ceil_div(runs_, block_runs_) * pieces(); }

  DepthBlock at(std::int64_t index) const {
    const std::int64_t run = index / pieces() * block_runs_, offset = index % pieces() * piece_;
    return {run, std::min(block_runs_, runs_ - run), offset, std::min(piece_, run_length_ - offset)};
  }

 private:
  /// Blocks that a run is cut into.
  std::int64_t pieces() const { return ceil_div(run_length_, piece_); }

  std::int64_t runs_, run_length_;
  std::int64_t block_runs_, piece_;
};

}  // namespace mxinfer::kernels
