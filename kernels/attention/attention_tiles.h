// The tiles of AttentionKernel::tile, for its plan and its kernel.
#pragma once

#include <cstddef>

namespace mxinfer::kernels::cuda {

/// `bytes` of an element, and what rows are padded to, in elements.
template <int BYTES, int WIDTH>
struct AttentionTile {
  static constexpr int width = WIDTH;
  static constexpr int row_bytes = BYTES * WIDTH;
  static constexpr int warps = 4, threads = 32 * warps;
  static constexpr int queries = 16 * warps;
  /// Keys of a step: fewer of wide rows, for shared memory.
  static constexpr int keys = row_bytes <= 256 ? 64 : row_bytes <= 512 ? 32 : 16;
  /// 16 bytes between rows: then the 8 rows of a matrix of ldmatrix are in different banks.
  static constexpr int row_words = row_bytes / 4 + 4;
  static constexpr std::size_t shared_bytes = std::size_t{4} * row_words * (queries + 2 * keys);
  /// Blocks that a multiprocessor has registers for; masks take some.
  static constexpr int blocks = row_bytes <= 128 ? 4 : row_bytes <= 192 ? 3 : 2;
  static constexpr int masked_blocks = row_bytes <= 128 ? 3 : 2;
};

inline constexpr int kAttentionWidths[] = {32, 64, 96, 128, 256};

}  // namespace mxinfer::kernels::cuda
