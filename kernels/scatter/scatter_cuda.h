// What scatter.h does, on a GPU.
#pragma once

#include "kernels/cuda/index_array_type.h"
#include "kernels/cuda/scratch.h"
#include "kernels/cuda/stream.h"
#include "kernels/scatter/scatter.h"

namespace mxinfer::kernels::cuda {

/// Indices that scatter() takes.
inline constexpr std::int64_t kMostScattered = (std::int64_t{1} << 31) - 1;

/// The last k of each row of dst, -1 for rows that no index names; one more is not -1 if an index is outside.
struct ChosenRows {
  std::int32_t* last = nullptr;
};
inline ChosenRows chosen_rows(Scratch& scratch, std::int64_t rows) {
  return {scratch.take<std::int32_t>(rows + 1)};
}

/// dst, of `rows` rows, is `base` (zeros if it is null) but for the rows that indices name, which are those
/// of src; of several for one row, the last one counts. If an index is outside, dst is bytes of 0xFF, which
/// are NaN in every type of floats. dst may be base. Precondition: args.count <= kMostScattered.
Status scatter(const ScatterArgs& args, std::int64_t rows, const IndexArray& indices, const void* base,
               const void* src, void* dst, void* scratch, const Stream& stream);
inline std::size_t scatter_scratch(std::int64_t rows) {
  Scratch scratch(nullptr);
  chosen_rows(scratch, rows);
  return scratch.bytes();
}

/// dst[row][indices[row]] = values[row], elsewhere src, which dst may be; an index outside changes nothing.
Status fill_element(std::int64_t rows, std::int64_t width, const IndexArray& indices, const float* values,
                    const float* src, float* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
