// Assigns each intermediate value a place in one arena, so that values that are never alive together share
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mxinfer::plan {

/// A block of memory that is needed from step `first` to step `last`, inclusive.
struct Block {
  std::size_t bytes = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::size_t offset = 0;  ///< the result
};

/// Gives every block a 64-byte aligned offset such that blocks alive at the same step never overlap; the
/// largest first, each into the smallest gap that holds it. Returns the arena's size.
std::size_t assign_offsets(std::vector<Block>& blocks);

}  // namespace mxinfer::plan
