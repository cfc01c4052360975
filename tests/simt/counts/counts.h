// Counts: what the blocks of one launch ask of a GPU's memory, pipes and barriers.
//
//   const Counts& counts = last_counts();
//   counts.global_loads.sectors / counts.global_loads.requests;   // 4, where a warp reads 128 bytes in a row
//
// A request is one instruction of a warp. A sector is 32 bytes of global memory, the least that is moved. A
// wavefront is what shared memory does in a cycle: each bank gives one word of four bytes.
#pragma once

#include <cstdint>
#include <string>

#include "simt/vector_types.h"

namespace mxinfer::simt {

struct GlobalCounts {
  std::uint64_t requests = 0, sectors = 0;
  std::uint64_t bytes = 0;  ///< that lanes ask for
};

struct SharedCounts {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;  ///< wavefronts beyond those of the same bytes without bank conflicts
};

/// How often a warp waits for global memory: the time of a wait is a latency, however much is on its way.
struct WaitCounts {
  std::uint64_t near = 0;    ///< for loads of what the first-level cache has
  std::uint64_t loads = 0;   ///< nothing is computed between loads and their use
  std::uint64_t behind = 0;  ///< the warp reads shared memory or multiplies between loads and their use
  /// Waits for cp_async, by the groups that are on their way then: 1, 2, 3, and 4 or more.
  std::uint64_t copies[4] = {};
};

struct Counts {
  std::string kernel, line;
  dim3 grid, block;
  std::uint64_t shared_bytes = 0;
  std::uint64_t blocks = 0;  ///< that were counted; all that follows is of these together
  std::uint64_t warps = 0;

  GlobalCounts global_loads, global_copies, global_stores, global_atomics;
  /// Different sectors that global_loads read within a block: the others are hits of the first-level cache.
  std::uint64_t different_sectors = 0;
  SharedCounts shared_loads, shared_stores, matrix_loads, copy_stores;
  std::uint64_t products = 0;   ///< mma instructions of 16 x 8 results
  std::uint64_t exchanges = 0;  ///< shuffles and votes
  std::uint64_t barriers = 0;   ///< of a block
  WaitCounts waits;

  /// Bytes of global memory that the whole launch reads and writes, each once. An estimate.
  double footprint_read = 0, footprint_written = 0;
  double pages = 0;  ///< of 1 KB of memory, that are opened for them
};

/// One line of JSON.
std::string to_json(const Counts& counts);

/// Those of the last launch that has ended.
const Counts& last_counts();

}  // namespace mxinfer::simt
