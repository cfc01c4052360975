// CUDA's words that say nothing to a C++ compiler, and the functions that count bits. No __noinline__: the
// standard library spells it in attributes.
#pragma once

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

inline int __popc(unsigned bits) {
  return __builtin_popcount(bits);
}
inline int __popcll(unsigned long long bits) {
  return __builtin_popcountll(bits);
}
/// The lowest bit set, counted from 1; 0 if there is none.
inline int __ffs(int bits) {
  return __builtin_ffs(bits);
}
inline int __clz(int bits) {
  return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits));
}
