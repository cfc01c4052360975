// Element-wise functions of two arrays: dst[i] = f(a[i], b[i]); either side may be one element repeated.
//
//   const BinaryKernel kernel = select_binary("add", ElementType::float32, Target::avx2);
//   kernel.rows(a, b, dst, n);          // n elements each
//   kernel.rows_scalar(a, b, dst, n);   // b is one element
//
// a, b and dst have the same element type. dst may be the same memory as a row of n, but not overlap it
// otherwise. Integer arithmetic wraps; an integer divided by zero is the infinity converted to the type
// (element_type.h). For integers, power, hypot, arctan2, ldexp and float_div are computed in
// float and mod in double, as in MXNet. mod has the divisor's sign, and x mod 0 is 0. Of booleans there are
// add, mul, power and the bitwise functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

using BinaryFn = void (*)(const void* a, const void* b, void* dst, std::int64_t n);

struct BinaryKernel {
  const char* variant = nullptr;   ///< "ref" or "simd"
  BinaryFn rows = nullptr;         ///< null if there is no such function for this type
  BinaryFn rows_scalar = nullptr;  ///< b is one element
  BinaryFn scalar_rows = nullptr;  ///< a is one element
  Target target = Target::ref;     ///< whose instructions it uses
};

/// The fastest kernel of a function for a target.
BinaryKernel select_binary(std::string_view function, ElementType type, Target target);

/// The implementations behind select_binary.
BinaryKernel binary_ref(std::string_view function, ElementType type);
/// A comparison or logical function whose dst is bool.
BinaryKernel comparison_ref(std::string_view function, ElementType type);
BinaryKernel binary_simd_f32(std::string_view function, Target target);

}  // namespace mxinfer::kernels
