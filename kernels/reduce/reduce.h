// Reductions over some of the dimensions of a tensor: sum, mean, prod, nansum, nanprod, max, min, norm1 (sum
// of |x|), norm2 (the square root of the sum of squares) and squares (that sum).
//
//   const ReduceFold fold = select_reduce("sum", ElementType::float32, Target::avx2);
//   reduce(fold, shape, src, dst, 0, shape.outputs());
//
// Floating point is accumulated in double, or in short runs of float32 whose sums are added in double;
// integers in their own type, which wraps. mean divides the accumulated value, for integers in their own
// type; the mean of no elements is NaN, for integers 0 (MXNet crashes). max and min of a NaN are NaN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// Dimensions with the distance between neighbours in the source, outermost first.
struct ReduceDims {
  static constexpr std::size_t kMaxRank = 16;
  std::size_t rank = 0;
  std::array<std::int64_t, kMaxRank> sizes{};
  std::array<std::int64_t, kMaxRank> strides{};

  std::int64_t elements() const {
    std::int64_t product = 1;
    for (std::size_t d = 0; d < rank; ++d) product *= sizes[d];
    return product;
  }
};

/// The destination is dense over the kept dimensions. The last kept or the last reduced dimension has stride
/// 1; both lists have at least one dimension (of size 1 if none is left).
struct ReduceShape {
  ReduceDims kept;
  ReduceDims reduced;
};

/// The most results that are accumulated at the same time.
inline constexpr std::int64_t kReduceColumns = 64;
/// Room for an accumulator of any type.
using ReduceAccumulators = std::array<double, kReduceColumns>;

/// A function for one type. acc points to `columns` accumulators, whose type only the fold knows.
struct ReduceFold {
  /// "ref" or "simd"; null if there is no such function for this type.
  const char* variant = nullptr;
  void (*start)(void* acc, std::int64_t columns) = nullptr;
  /// Folds n contiguous elements into acc[0].
  void (*row)(const void* src, std::int64_t n, void* acc) = nullptr;
  /// Folds element j of each of `rows` rows, `stride` elements apart, into acc[j].
  void (*columns)(const void* src, std::int64_t rows, std::int64_t stride, std::int64_t columns,
                  void* acc) = nullptr;
  /// dst[j] from acc[j], into which `count` elements were folded.
  void (*finish)(const void* acc, std::int64_t columns, std::int64_t count, void* dst) = nullptr;
  std::size_t element_size = 0;
  std::size_t result_size = 0;
  Target target = Target::ref;  ///< whose instructions row and columns use
};

ReduceFold select_reduce(std::string_view function, ElementType type, Target target);
ReduceFold reduce_ref(std::string_view function, ElementType type);
/// norm1 or norm2 with results of another type, which convert() makes of the sum: that of floats is of
/// double, |x| of integers are summed in int64.
ReduceFold select_norm(std::string_view function, ElementType type, ElementType result, Target target);
/// sum, prod or mean of floats with results of an integer type or of booleans: the accumulated value is
/// converted by convert(), and that of a mean divided as an integer.
ReduceFold select_reduce_to_integer(std::string_view function, ElementType type, ElementType result,
                                    Target target);
/// Replaces row and columns by vector code, if there is any for the function on float32.
void reduce_simd_f32(std::string_view function, Target target, ReduceFold& fold);

/// Computes results [begin, end).
void reduce(const ReduceFold& fold, const ReduceShape& shape, const void* src, void* dst, std::int64_t begin,
            std::int64_t end);

/// argmax or argmin over `axis` elements that lie `inner` apart, for lines [begin, end) of outer x inner, in
/// the source's type. Of equal elements the first counts, and a NaN counts as the best.
using ArgReduceFn = void (*)(const void* src, void* dst, std::int64_t axis, std::int64_t inner,
                             std::int64_t begin, std::int64_t end);
/// Null for types without one.
ArgReduceFn select_arg_reduce(bool largest, ElementType type);
/// The same with the positions as int64.
ArgReduceFn select_arg_positions(bool largest, ElementType type);

}  // namespace mxinfer::kernels
