// Element-wise functions of one array: dst[i] = f(src[i]) for i in [0, n).
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

/// Parameters besides x; unary_ref.cpp shows which of them a function reads.
struct UnaryParams {
  double a = 0;
  double b = 0;
  double c = 0;
};

using UnaryFn = void (*)(const void* src, void* dst, std::int64_t n, const UnaryParams& params);

struct UnaryKernel {
  const char* variant = nullptr;  ///< "ref" or "simd"
  UnaryFn run = nullptr;          ///< null if there is no such function for this type
  Target target = Target::ref;    ///< whose instructions it uses
};

/// The fastest kernel of a function for a target: vector code if there is any (float32), else the reference.
UnaryKernel select_unary(std::string_view function, ElementType type, Target target);

/// The implementations behind select_unary.
UnaryFn unary_ref(std::string_view function, ElementType type);
/// A function whose dst is bool.
UnaryFn predicate_ref(std::string_view function, ElementType type);
UnaryFn unary_simd_f32(std::string_view function, Target target);

}  // namespace mxinfer::kernels
