// Writes rows to indices: scatter_nd, index_copy, the counterpart of gather_nd. Elements are opaque bytes;
// indices are int64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

inline constexpr int kScatterMaxRank = 16;

/// dst[indices[0][k], ..., indices[rank - 1][k]] = src[k], rows of `row_bytes`. If two k have the same
/// indices, the last one counts.
struct ScatterArgs {
  int rank = 0;
  std::int64_t count = 0;
  std::int64_t size[kScatterMaxRank] = {};
  std::int64_t stride[kScatterMaxRank] = {};  ///< in rows
  std::size_t row_bytes = 0;
};

/// Whether every index is in [0, size); *bad is the position of the first that is not.
bool scatter_fits(const ScatterArgs& args, const std::int64_t* indices, std::int64_t* bad);
/// Writes the indexed rows and no others. Precondition: scatter_fits.
void scatter_rows(const ScatterArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst);

}  // namespace mxinfer::kernels
