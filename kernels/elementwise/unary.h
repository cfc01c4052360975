// Functions of one element: dst[i] = f(src[i]) for i in [0, n).
//
//   const UnaryKernel kernel = select_unary("sigmoid", ElementType::float32, Target::avx2);
//   kernel.run(src, dst, n, {});
//
// src and dst are n elements of the same type; they may be the same memory, but not overlap otherwise.
// Functions that the standard library computes on floating point (exp, sin, floor, abs, ...) are computed in
// float for float16 and, as in MXNet, in double for integers (square, degrees, radians and smooth_l1 in
// float), then converted as element_type.h says; arithmetic (negative, sign, ...) is done in the type itself
// and wraps.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// What a function may depend on besides x; the table of functions in unary_ref.cpp says which it reads.
struct UnaryParams {
  double a = 0;
  double b = 0;
};

using UnaryFn = void (*)(const void* src, void* dst, std::int64_t n, const UnaryParams& params);

struct UnaryKernel {
  const char* variant = nullptr;  ///< "ref" or "simd"
  UnaryFn run = nullptr;          ///< null where there is no such function, or not for this type
  Target target = Target::ref;    ///< whose instructions it uses
};

/// The fastest kernel of a function for a target: the SIMD one where there is one (float32), the reference
/// otherwise.
UnaryKernel select_unary(std::string_view function, ElementType type, Target target);

/// The rows behind select_unary.
UnaryFn unary_ref(std::string_view function, ElementType type);
UnaryFn unary_simd_f32(std::string_view function, Target target);

}  // namespace mxinfer::kernels
