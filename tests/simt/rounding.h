// Operations that the compiler fuses with no other, though it may fuse all that kernels write with operators.
#pragma once

#include <cmath>

namespace mxinfer::simt {

/// The same number, of which the compiler does not know what it was computed by.
inline float opaque(float x) {
#ifdef __x86_64__
  asm("" : "+x"(x));
#else
  asm("" : "+m"(x));
#endif
  return x;
}

inline float add_rn(float x, float y) {
  return opaque(x) + opaque(y);
}
inline float sub_rn(float x, float y) {
  return opaque(x) - opaque(y);
}
inline float mul_rn(float x, float y) {
  return opaque(x * y);
}
inline float div_rn(float x, float y) {
  return x / y;
}
inline float nearly_reciprocal(float x) {
  return 1.0f / x;
}
inline float nearly_exp(float x) {
  return std::exp(x);
}
/// exp(x), by way of double.
inline float exp_rn(float x) {
  return static_cast<float>(std::exp(static_cast<double>(x)));
}

}  // namespace mxinfer::simt
