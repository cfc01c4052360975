// Softmax along the middle of three dimensions (outer, axis, inner): for each line, a set of `axis` elements
// that lie `inner` apart,
//   dst[i] = exp(s_i) / sum_j exp(s_j)       s_i = (sign x_i - max_j sign x_j) / temperature
// or its logarithm, s_i - log sum_j exp(s_j).
//
//   const SoftmaxKernel kernel = select_softmax(ElementType::float32, ElementType::float32, args, target);
//   kernel.run(args, src, dst, lengths, 0, outer * args.inner);
//
// Lines are numbered outer by outer. With `lengths`, line k covers its first lengths[k] elements (limited to
// 0 .. axis) and the others become 0. src and dst may be the same memory if their types are the same.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

struct SoftmaxArgs {
  std::int64_t axis = 0;
  std::int64_t inner = 1;
  double temperature = 1;
  float sign = 1;  ///< -1 for softmin
  bool log = false;
  ElementType length_type = ElementType::int32;
};

/// Computes lines [begin, end). lengths: one number of length_type for each line, or null.
using SoftmaxFn = void (*)(const SoftmaxArgs& args, const void* src, void* dst, const void* lengths,
                           std::int64_t begin, std::int64_t end);

struct SoftmaxKernel {
  const char* variant = nullptr;  ///< "ref", "rows" (inner = 1) or "columns"
  SoftmaxFn run = nullptr;        ///< null if a type is not floating point
  Target target = Target::ref;    ///< whose instructions it uses
};

/// The fastest kernel for a target.
SoftmaxKernel select_softmax(ElementType from, ElementType to, const SoftmaxArgs& args, bool lengths,
                             Target target);

/// The implementations behind select_softmax.
SoftmaxFn softmax_ref(ElementType from, ElementType to);
SoftmaxFn softmax_rows_f32(Target target);     ///< inner = 1
SoftmaxFn softmax_columns_f32(Target target);  ///< without lengths

/// lengths[line] within 0 .. axis; axis without lengths.
constexpr std::int64_t softmax_length(const SoftmaxArgs& args, const void* lengths, std::int64_t line) {
  if (lengths == nullptr) return args.axis;
  std::int64_t length = 0;
  switch (args.length_type) {
    case ElementType::int64:
      length = static_cast<const std::int64_t*>(lengths)[line];
      break;
    case ElementType::int8:
      length = static_cast<const std::int8_t*>(lengths)[line];
      break;
    case ElementType::uint8:
      length = static_cast<const std::uint8_t*>(lengths)[line];
      break;
    default:
      length = static_cast<const std::int32_t*>(lengths)[line];
      break;
  }
  return length < 0 ? 0 : length > args.axis ? args.axis : length;
}

}  // namespace mxinfer::kernels
