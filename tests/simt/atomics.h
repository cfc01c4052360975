// Atomic operations on global and shared memory; each returns what was there before. None of floats: the
// order of their sums would be that of the threads.
#pragma once

#define MXINFER_SIMT_ATOMICS(T)                 \
  T atomicAdd(T* address, T value);             \
  T atomicMax(T* address, T value);             \
  T atomicMin(T* address, T value);             \
  T atomicExch(T* address, T value);            \
  T atomicCAS(T* address, T expected, T value); \
  static_assert(sizeof(T) == 4 || sizeof(T) == 8)

MXINFER_SIMT_ATOMICS(int);
MXINFER_SIMT_ATOMICS(unsigned);
MXINFER_SIMT_ATOMICS(unsigned long long);

#undef MXINFER_SIMT_ATOMICS
