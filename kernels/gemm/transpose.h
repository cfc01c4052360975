// dst[y][x] = src[x][y], in blocks that stay in cache. Brings the depth of a matrix innermost for gemm_nt.
//
//   transpose(src, /*src_step=*/columns, dst, rows, columns);   // dst is (columns x rows)
#pragma once

#include <algorithm>
#include <cstdint>

namespace mxinfer::kernels {

/// src has rows of `columns` elements, `src_step` elements apart; dst is dense.
template <typename T>
void transpose(const T* src, std::int64_t src_step, T* dst, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kBlock = 16;
  for (std::int64_t i = 0; i < rows; i += kBlock) {
    for (std::int64_t j = 0; j < columns; j += kBlock) {
      for (std::int64_t x = i; x < std::min(rows, i + kBlock); ++x) {
        for (std::int64_t y = j; y < std::min(columns, j + kBlock); ++y)
          dst[y * rows + x] = src[x * src_step + y];
      }
    }
  }
}

}  // namespace mxinfer::kernels
