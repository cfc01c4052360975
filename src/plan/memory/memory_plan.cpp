#include "plan/memory/memory_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/fail.h"
#include "base/files/aligned_memory.h"

namespace mxinfer::plan {
namespace {

bool overlap_in_time(const Block& a, const Block& b) {
  return a.first <= b.last && b.first <= a.last;
}

// The start of the smallest gap between `neighbours` (sorted by offset) that holds `bytes`, or the end of the
// last one.
std::size_t best_gap(const std::vector<const Block*>& neighbours, std::size_t bytes) {
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::size_t best_size = best, end = 0;
  for (const Block* block : neighbours) {
    if (block->offset > end && block->offset - end >= bytes && block->offset - end < best_size) {
      best = end;
      best_size = block->offset - end;
    }
    end = std::max(end, block->offset + aligned_size(block->bytes));
  }
  return best == std::numeric_limits<std::size_t>::max() ? end : best;
}

}  // namespace

std::size_t assign_offsets(std::vector<Block>& blocks) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return blocks[a].bytes > blocks[b].bytes; });
  std::vector<const Block*> placed;  // sorted by offset
  std::size_t total = 0;
  for (std::size_t i : order) {
    std::vector<const Block*> neighbours;
    std::copy_if(placed.begin(), placed.end(), std::back_inserter(neighbours),
                 [&](const Block* other) { return overlap_in_time(*other, blocks[i]); });
    blocks[i].offset = best_gap(neighbours, aligned_size(blocks[i].bytes));
    total = std::max(total, blocks[i].offset + aligned_size(blocks[i].bytes));
    if (total > kMostBytes) {
      fail(ErrorCode::out_of_memory, "its values take ", total,
           " bytes at the same time, more than any process has; give smaller inputs");
    }
    const auto by_offset = [](const Block* a, const Block* b) { return a->offset < b->offset; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), &blocks[i], by_offset), &blocks[i]);
  }
  return total;
}

}  // namespace mxinfer::plan
