// Bipartite matching: rows and columns of a score matrix are paired, best score first, each at most once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct BipartiteMatchingArgs {
  const void* scores = nullptr;  ///< [batch][rows][columns]
  void* row_match = nullptr;     ///< [batch][rows]: the column, or -1
  void* column_match = nullptr;  ///< [batch][columns]: the row, or -1
  std::int64_t rows = 0, columns = 0;
  bool ascending = false;  ///< the smallest score is best
  float threshold = 0;     ///< scores must be above it, below it if ascending
  std::int64_t topk = -1;  ///< if above 0, ends after topk + 1 pairs, as MXNet does
};

/// Bytes of scratch for one matrix.
std::size_t bipartite_matching_scratch(std::int64_t rows, std::int64_t columns);

/// Computes batches [begin, end). NaN is never matched.
using BipartiteMatchingFn = void (*)(const BipartiteMatchingArgs& args, std::byte* scratch,
                                     std::int64_t begin, std::int64_t end);
/// Null for types other than float32, float64 and float16.
BipartiteMatchingFn select_bipartite_matching(ElementType type);

}  // namespace mxinfer::kernels
