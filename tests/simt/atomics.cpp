#include "simt/atomics.h"

#include "simt/host/observer.h"

namespace {

template <typename T>
void observe(const T* address, const void* code) {
  using namespace mxinfer::simt;
  if (observer != nullptr) observer->access(*self, address, sizeof(T), Access::atomic, code);
}

}  // namespace

// Blocks may run at once, so that these are atomic on the CPU too.
#define MXINFER_SIMT_ATOMICS(T)                                                                             \
  T atomicAdd(T* address, T value) {                                                                        \
    observe(address, __builtin_return_address(0));                                                          \
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);                                            \
  }                                                                                                         \
  T atomicExch(T* address, T value) {                                                                       \
    observe(address, __builtin_return_address(0));                                                          \
    return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);                                           \
  }                                                                                                         \
  T atomicCAS(T* address, T expected, T value) {                                                            \
    observe(address, __builtin_return_address(0));                                                          \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);      \
    return expected;                                                                                        \
  }                                                                                                         \
  T atomicMax(T* address, T value) {                                                                        \
    observe(address, __builtin_return_address(0));                                                          \
    T old = __atomic_load_n(address, __ATOMIC_RELAXED);                                                     \
    while (old < value &&                                                                                   \
           !__atomic_compare_exchange_n(address, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                                       \
    return old;                                                                                             \
  }                                                                                                         \
  T atomicMin(T* address, T value) {                                                                        \
    observe(address, __builtin_return_address(0));                                                          \
    T old = __atomic_load_n(address, __ATOMIC_RELAXED);                                                     \
    while (value < old &&                                                                                   \
           !__atomic_compare_exchange_n(address, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                                       \
    return old;                                                                                             \
  }

MXINFER_SIMT_ATOMICS(int)
MXINFER_SIMT_ATOMICS(unsigned)
MXINFER_SIMT_ATOMICS(unsigned long long)
