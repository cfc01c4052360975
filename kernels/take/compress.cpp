#include "kernels/take/compress.h"

#include <cstring>

namespace mxinfer::kernels {

std::int64_t compress_rows(const bool* keep, std::int64_t rows, std::size_t row_bytes, const std::byte* src,
                           std::byte* dst) {
  std::int64_t kept = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (!keep[row]) continue;
    if (row_bytes > 0)
      std::memcpy(dst + static_cast<std::size_t>(kept) * row_bytes,
                  src + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    ++kept;
  }
  return kept;
}

}  // namespace mxinfer::kernels
