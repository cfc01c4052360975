// Converts sparse arrays to dense ones, and checks data from files: matching shapes, indices in range and in
// order. Internal to this folder.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <vector>

namespace mxinfer::formats {

/// The elements of a one-dimensional integer array; Error(malformed) for another rank or type.
std::vector<std::int64_t> as_indices(const Tensor& tensor);

/// Row rows[k] of the result is values[k]; other rows are zero. `unpacked_left`: bytes that results may still
/// have.
Tensor densify_rows(const Tensor& values, const std::vector<std::int64_t>& rows, const Shape& shape,
                    std::int64_t& unpacked_left);

/// Compressed rows: elements starts[r] .. starts[r + 1] of values and columns are row r's.
Tensor densify_csr(const Tensor& values, const std::vector<std::int64_t>& starts,
                   const std::vector<std::int64_t>& columns, const Shape& shape, std::int64_t& unpacked_left);

}  // namespace mxinfer::formats
