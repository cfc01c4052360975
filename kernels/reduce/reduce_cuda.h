// The reductions of reduce.h and moments.h on a GPU. Results do not depend on the run: the order of the
// additions is fixed.
//
//   ReduceCudaArgs args{shape, ReduceOp::sum, ElementType::float32, ElementType::float32};
//   args.splits = reduce_splits(shape);
//   reduce(args, src, dst, partials, stream);   // partials: reduce_scratch_bytes(args)
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels::cuda {

enum class ReduceOp : std::uint8_t { sum, mean, nansum, prod, nanprod, max, min, norm1, norm2, squares };

struct ReduceCudaArgs {
  ReduceShape shape;
  ReduceOp op = ReduceOp::sum;
  /// float32, float16, bfloat16; int32 or int64 for sum, mean, prod, max and min.
  ElementType type = ElementType::float32;
  ElementType out = ElementType::float32;  ///< `type` of integers, any of the floats of floats
  int splits = 1;
};

/// Into how many parts the elements of a result are split, so that few results keep a GPU busy.
inline int reduce_splits(const ReduceShape& shape) {
  constexpr std::int64_t kResults = 2048, kPart = 4096, kMost = 256;
  const std::int64_t results = shape.kept.elements(), count = shape.reduced.elements();
  std::int64_t splits = count / kPart;
  if (results > 0 && splits > kResults / results) splits = kResults / results;
  return static_cast<int>(splits < 1 ? 1 : splits > kMost ? kMost : splits);
}
/// Bytes for partial results, 0 without splits.
inline std::size_t reduce_scratch_bytes(const ReduceCudaArgs& args) {
  return args.splits == 1 ? 0
                          : static_cast<std::size_t>(args.shape.kept.elements()) *
                                static_cast<std::size_t>(args.splits) * 8;
}

/// Precondition: results have elements, though nothing may be reduced.
Status reduce(const ReduceCudaArgs& args, const void* src, void* dst, void* partials, const Stream& stream);

/// mean and variance of float32.
Status moments(const ReduceShape& shape, const float* src, float* mean, float* variance,
               const Stream& stream);

struct ArgReduceCudaArgs {
  std::int64_t lines = 0, axis = 0, inner = 1;  ///< as in ArgReduceFn
  bool largest = true;
  ElementType type = ElementType::float32;  ///< float32 or int32
  bool to_int64 = false;                    ///< the positions, else `type`
};

/// axis < 2^31.
Status arg_reduce(const ArgReduceCudaArgs& args, const void* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
