#include "alloc/counting_malloc.h"

#include <cerrno>
#include <cstddef>

namespace mxinfer::test {

std::atomic<long> allocations{0};

namespace {

thread_local long until_refused = -1;
thread_local bool refused = false;

[[maybe_unused]] bool refuses() {
  ++allocations;
  if (until_refused < 0) return false;
  refused = until_refused == 0;
  --until_refused;
  if (refused) errno = ENOMEM;
  return refused;
}

}  // namespace

void refuse_allocation(long n) {
  refused = false;
  until_refused = n;
}

bool was_refused() {
  return refused || until_refused < 0;
}

}  // namespace mxinfer::test

#if MXINFER_COUNTS_ALLOCATIONS
// Shared libraries are to find these too, where everything else is hidden.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  return mxinfer::test::refuses() ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return mxinfer::test::refuses() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return mxinfer::test::refuses() ? nullptr : __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return mxinfer::test::refuses() ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = mxinfer::test::refuses() ? nullptr : __libc_memalign(alignment, bytes);
  return *memory == nullptr ? 12 : 0;
}
}
#pragma GCC visibility pop
#endif
