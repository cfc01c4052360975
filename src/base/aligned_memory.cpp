#include "base/aligned_memory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/fail.h"

namespace mxinfer {
namespace {

// From here on blocks are weights and values of whole networks, written from end to end: to take their pages
// one fault at a time is a third of the time from a cold process to its first prediction.
constexpr std::size_t kLarge = std::size_t{1} << 18;

}  // namespace

void take_pages(void* memory, std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  if (bytes < kLarge) return;
  // The pages inside of the block. If the system cannot, they come one by one. Meanwhile no other thread
  // of the process can map memory, as one does that just starts: hence in stretches.
  constexpr std::size_t kPage = 4096, kStretch = std::size_t{1} << 20;
  std::size_t left = bytes;
  void* first = memory;
  if (std::align(kPage, kPage, first, left) == nullptr) return;
  left = left / kPage * kPage;
  for (std::size_t at = 0; at < left; at += kStretch)
    (void)::madvise(static_cast<std::byte*>(first) + at, std::min(kStretch, left - at), MADV_POPULATE_WRITE);
#else
  (void)memory;
  (void)bytes;
#endif
}

void* aligned_allocate(std::size_t bytes, Pages pages) {
  void* memory = nullptr;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded >= bytes) memory = std::aligned_alloc(kAlignment, rounded == 0 ? kAlignment : rounded);
  if (memory == nullptr) fail(ErrorCode::out_of_memory, "could not allocate ", bytes, " bytes");
  if (pages == Pages::now) take_pages(memory, bytes);
  return memory;
}

void aligned_release(void* memory) noexcept {
  std::free(memory);
}

}  // namespace mxinfer
