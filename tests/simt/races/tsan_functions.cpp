// The functions that code compiled with -fsanitize=thread calls.
#include <cstdint>
#include <cstring>

#include "simt/host/observer.h"

using mxinfer::simt::Access;
using mxinfer::simt::note_access;

#define MXINFER_TSAN extern "C" __attribute__((visibility("hidden")))
#define MXINFER_CALLER __builtin_return_address(0)

MXINFER_TSAN void __tsan_init() {}
MXINFER_TSAN void __tsan_func_entry(void*) {}
MXINFER_TSAN void __tsan_func_exit() {}
MXINFER_TSAN void __tsan_vptr_update(void**, void*) {}
MXINFER_TSAN void __tsan_vptr_read(void**) {}

#define MXINFER_ACCESS(name, bytes, kind)                      \
  MXINFER_TSAN void name(void* address) {                      \
    note_access(address, bytes, Access::kind, MXINFER_CALLER); \
  }
#define MXINFER_ACCESSES(bytes)                               \
  MXINFER_ACCESS(__tsan_read##bytes, bytes, read)             \
  MXINFER_ACCESS(__tsan_write##bytes, bytes, write)           \
  MXINFER_ACCESS(__tsan_unaligned_read##bytes, bytes, read)   \
  MXINFER_ACCESS(__tsan_unaligned_write##bytes, bytes, write) \
  MXINFER_ACCESS(__tsan_volatile_read##bytes, bytes, read)    \
  MXINFER_ACCESS(__tsan_volatile_write##bytes, bytes, write)
MXINFER_ACCESSES(1)
MXINFER_ACCESSES(2)
MXINFER_ACCESSES(4)
MXINFER_ACCESSES(8)
MXINFER_ACCESSES(16)

MXINFER_TSAN void __tsan_read_range(void* address, std::size_t bytes) {
  note_access(address, bytes, Access::read, MXINFER_CALLER);
}
MXINFER_TSAN void __tsan_write_range(void* address, std::size_t bytes) {
  note_access(address, bytes, Access::write, MXINFER_CALLER);
}

// clang's, for what it would call the standard library's functions for.
MXINFER_TSAN void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  note_access(from, bytes, Access::read, MXINFER_CALLER);
  note_access(to, bytes, Access::write, MXINFER_CALLER);
  return std::memcpy(to, from, bytes);
}
MXINFER_TSAN void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  note_access(from, bytes, Access::read, MXINFER_CALLER);
  note_access(to, bytes, Access::write, MXINFER_CALLER);
  return std::memmove(to, from, bytes);
}
MXINFER_TSAN void* __tsan_memset(void* to, int value, std::size_t bytes) {
  note_access(to, bytes, Access::write, MXINFER_CALLER);
  return std::memset(to, value, bytes);
}

// Of the host's code alone: kernels' atomic operations are functions of the emulator.
#define MXINFER_ATOMICS(bits)                                                                               \
  using Bits##bits = std::uint##bits##_t;                                                                   \
  MXINFER_TSAN Bits##bits __tsan_atomic##bits##_load(const volatile Bits##bits* at, int) {                  \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                         \
  MXINFER_TSAN void __tsan_atomic##bits##_store(volatile Bits##bits* at, Bits##bits value, int) {           \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                          \
  }                                                                                                         \
  MXINFER_TSAN Bits##bits __tsan_atomic##bits##_exchange(volatile Bits##bits* at, Bits##bits value, int) {  \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                                         \
  MXINFER_TSAN Bits##bits __tsan_atomic##bits##_fetch_add(volatile Bits##bits* at, Bits##bits value, int) { \
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                         \
  MXINFER_TSAN Bits##bits __tsan_atomic##bits##_fetch_sub(volatile Bits##bits* at, Bits##bits value, int) { \
    return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                         \
  MXINFER_TSAN int __tsan_atomic##bits##_compare_exchange_strong(                                           \
      volatile Bits##bits* at, Bits##bits* expected, Bits##bits value, int, int) {                          \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
  }
MXINFER_ATOMICS(8)
MXINFER_ATOMICS(32)
MXINFER_ATOMICS(64)
