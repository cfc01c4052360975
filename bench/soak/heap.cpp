#include "soak/heap.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace mxinfer::soak {
namespace {

std::atomic<std::int64_t> bytes_now{0}, blocks_now{0};

[[maybe_unused]] void* count_taken(void* memory) noexcept {
  if (memory == nullptr) return nullptr;
  bytes_now.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  blocks_now.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

[[maybe_unused]] void count_released(std::size_t bytes) noexcept {
  bytes_now.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  blocks_now.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

Heap live_heap() noexcept {
  return {bytes_now.load(std::memory_order_relaxed), blocks_now.load(std::memory_order_relaxed)};
}

}  // namespace mxinfer::soak

#if MXINFER_SOAK_COUNTS_HEAP
using mxinfer::soak::count_released;
using mxinfer::soak::count_taken;
// Shared libraries are to find these too, where everything else is hidden.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

void* malloc(std::size_t bytes) {
  return count_taken(__libc_malloc(bytes));
}
void* calloc(std::size_t count, std::size_t bytes) {
  return count_taken(__libc_calloc(count, bytes));
}
void* realloc(void* memory, std::size_t bytes) {
  const std::size_t before = memory == nullptr ? 0 : malloc_usable_size(memory);
  void* const moved = __libc_realloc(memory, bytes);
  // Refused, the old block stays; of no bytes, it is freed.
  if (memory != nullptr && (moved != nullptr || bytes == 0)) count_released(before);
  return count_taken(moved);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return count_taken(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return count_taken(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* const taken = count_taken(__libc_memalign(alignment, bytes));
  if (taken == nullptr) return ENOMEM;
  *memory = taken;
  return 0;
}
void free(void* memory) {
  if (memory == nullptr) return;
  count_released(malloc_usable_size(memory));
  __libc_free(memory);
}
}
#pragma GCC visibility pop
#endif
