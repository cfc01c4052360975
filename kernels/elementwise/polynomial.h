// Polynomials by Horner's rule:  dst[i] = p[0] x[i]^(count-1) + ... + p[count-1];  0 without coefficients.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// Computes elements [begin, end). Integers wrap, floats are computed in double.
using PolynomialFn = void (*)(const void* p, std::int64_t count, const void* x, void* dst, std::int64_t begin,
                              std::int64_t end);
/// Null for types without arithmetic.
PolynomialFn select_polynomial(ElementType type);

}  // namespace mxinfer::kernels
