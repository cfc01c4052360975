// The live heap: what was allocated and not freed, counted by a malloc in front of glibc's, which operator
// new and the libraries go through. Sanitizers bring a malloc of their own; there it is left out.
#pragma once

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MXINFER_SOAK_COUNTS_HEAP 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MXINFER_SOAK_COUNTS_HEAP 0
#endif
#endif
#ifndef MXINFER_SOAK_COUNTS_HEAP
#define MXINFER_SOAK_COUNTS_HEAP 1
#endif

namespace mxinfer::soak {

struct Heap {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
};

/// Now; exact while no other thread allocates.
[[nodiscard]] Heap live_heap() noexcept;

}  // namespace mxinfer::soak
