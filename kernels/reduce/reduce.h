// Reductions over some of the dimensions of a tensor: sum, mean, prod, nansum, nanprod, max, min, norm1 (sum
// of |x|), norm2 (the square root of the sum of squares) and squares (that sum).
//
//   const ReduceFold fold = select_reduce("sum", ElementType::float32, Target::avx2);
//   reduce(fold, shape, src, dst, 0, shape.outputs());
//
// Floating point is accumulated in double, or in short runs of float32 whose sums are; integers in their own
// type, where they wrap. mean divides the accumulated value, for integers in their own type; of no elements
// it is NaN, for integers 0 (MXNet ends with a division by zero there). A NaN is the result of max and min.
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

/// The destination is dense over the kept dimensions. One of the last of each kind has stride 1; both lists
/// have a dimension at least (of size 1 where there is none).
struct ReduceShape {
  ReduceDims kept;
  ReduceDims reduced;
};

/// How many results are accumulated side by side at most.
inline constexpr std::int64_t kReduceColumns = 64;
/// Room for an accumulator of any type.
using ReduceAccumulators = std::array<double, kReduceColumns>;

/// A function over one type. acc points to `columns` accumulators (of a type that the fold knows).
struct ReduceFold {
  const char* variant =
      nullptr;  ///< "ref" or "simd"; null where there is no such function, or not for this type
  void (*start)(void* acc, std::int64_t columns) = nullptr;
  /// Folds n neighbouring elements into acc[0].
  void (*row)(const void* src, std::int64_t n, void* acc) = nullptr;
  /// Folds element j of each of `rows` rows, `stride` elements apart, into acc[j].
  void (*columns)(const void* src, std::int64_t rows, std::int64_t stride, std::int64_t columns,
                  void* acc) = nullptr;
  /// dst[j] from acc[j], into which `count` elements were folded.
  void (*finish)(const void* acc, std::int64_t columns, std::int64_t count, void* dst) = nullptr;
  std::size_t element_size = 0;
  Target target = Target::ref;  ///< whose instructions row and columns use
};

ReduceFold select_reduce(std::string_view function, ElementType type, Target target);
ReduceFold reduce_ref(std::string_view function, ElementType type);
/// Replaces row and columns by vector code where there is some for the function on float32.
void reduce_simd_f32(std::string_view function, Target target, ReduceFold& fold);

/// Computes results [begin, end).
void reduce(const ReduceFold& fold, const ReduceShape& shape, const void* src, void* dst, std::int64_t begin,
            std::int64_t end);

/// The position of the largest or smallest of `axis` elements that lie `inner` apart, for lines [begin, end)
/// of outer x inner, written in the source's type. The first of equals counts, and a NaN counts as the best.
using ArgReduceFn = void (*)(const void* src, void* dst, std::int64_t axis, std::int64_t inner,
                             std::int64_t begin, std::int64_t end);
/// Null for a type without an order here.
ArgReduceFn select_arg_reduce(bool largest, ElementType type);

}  // namespace mxinfer::kernels
