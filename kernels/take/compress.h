// The rows of an array that a mask keeps, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// Copies the rows of src, `row_bytes` each, whose keep[i] is not 0 to the front of dst, in their order, and
/// returns their number. Does not write behind them.
std::int64_t compress_rows(const bool* keep, std::int64_t rows, std::size_t row_bytes, const std::byte* src,
                           std::byte* dst);

}  // namespace mxinfer::kernels
