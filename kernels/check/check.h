// Tests of whole arrays: whether all elements are finite, whether two arrays are close, how many elements are
// not zero; and the sum of squares, for gradient clipping. The functions are null for types without one.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

using AllFiniteFn = bool (*)(const void* src, std::int64_t n);
/// For the floating point types.
AllFiniteFn select_all_finite(ElementType type);

struct Closeness {
  float relative = 0;
  float absolute = 0;
  bool equal_nan = false;  ///< two NaN are close
};
/// Whether a == b or |a - b| <= absolute + relative * |b| for each pair of elements.
using AllCloseFn = bool (*)(const Closeness& closeness, const void* a, const void* b, std::int64_t n);
AllCloseFn select_all_close(ElementType type);

/// dst[i] = how many of the `n` elements of row i are not zero.
using CountNonzeroFn = void (*)(const void* src, std::int64_t rows, std::int64_t n, std::int64_t* dst);
CountNonzeroFn select_count_nonzero(ElementType type);

/// The sum of squares: each square in the element's type, the sum in float.
using SumOfSquaresFn = float (*)(const void* src, std::int64_t n);
/// For the floating point types.
SumOfSquaresFn select_sum_of_squares(ElementType type);

}  // namespace mxinfer::kernels
