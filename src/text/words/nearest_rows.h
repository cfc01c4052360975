// Finds the rows of a matrix with the largest cosine to a vector, in one pass over the matrix.
//
//   const std::vector<double> scales = row_scales(matrix);
//   nearest_rows({matrix, scales, vector, 10});
//
// Both functions run on the threads of the current arena, and give the same bits with any number of threads.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "text/words/word_matrix.h"

namespace mxinfer::text {

/// For each row 1 / length, which may exceed float32; 0 for a row of zeros or with a number that is not
/// finite.
std::vector<double> row_scales(const WordMatrix& matrix);

struct NearRow {
  std::int64_t row = 0;
  float score = 0;
};

struct NearestRows {
  const WordMatrix& matrix;
  Span<const double> scales;  ///< row_scales(matrix)
  Span<const float> vector;   ///< matrix.columns() finite numbers
  std::size_t count = 0;      ///< of rows that are wanted
  std::int64_t first = 0;     ///< only these rows; at most matrix.rows()
  std::optional<float> min_score;
  /// Filters rows; called on many threads.
  FunctionRef<bool(std::int64_t row)> accept;
};

/// Best first, equal ones by ascending row. Rows without a direction are left out; the result is empty if the
/// vector has no direction.
std::vector<NearRow> nearest_rows(const NearestRows& search);

}  // namespace mxinfer::text
