// dst[i] = (a * src[i]^2 + b * src[i]) + c, in double for double and in float for all other types, then
// converted as element_type.h says.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct Quadratic {
  float a = 0, b = 0, c = 0;
};

/// n elements; src and dst may be the same memory.
using QuadraticFn = void (*)(const Quadratic& q, const void* src, void* dst, std::int64_t n);

/// Null for a type without arithmetic.
QuadraticFn quadratic_ref(ElementType type);

}  // namespace mxinfer::kernels
