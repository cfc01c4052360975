#include "base/files/aligned_memory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/fail.h"

namespace mxinfer {
namespace {

// Blocks of this size and above hold weights and values of whole networks, written from end to end. Taking
// their pages one fault at a time costs a third of the time from a cold process to its first prediction.
constexpr std::size_t kLarge = std::size_t{1} << 18;

// The address sanitizer knows the bounds of blocks from malloc, but not of those mapped by the system.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
constexpr bool kMapsLarge = true;

void* map(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unmap(void* memory, std::size_t bytes) noexcept {
  (void)::munmap(memory, bytes);
}
#else
constexpr bool kMapsLarge = false;

void* map(std::size_t /*bytes*/) {
  return nullptr;
}

void unmap(void* /*memory*/, std::size_t /*bytes*/) noexcept {}
#endif

}  // namespace

void take_pages(void* memory, std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  if (bytes < kLarge) return;
  // Populates the pages inside the block; if the system cannot, they fault in one by one. Works in stretches,
  // because no other thread of the process can map memory meanwhile, as a starting thread does.
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

void* AlignedBuffer::allocate(std::size_t bytes, Pages pages) {
  if (!kMapsLarge || bytes < kLarge) return aligned_allocate(bytes, pages);
  void* const memory = map(bytes);
  if (memory == nullptr) fail(ErrorCode::out_of_memory, "could not allocate ", bytes, " bytes");
  if (pages == Pages::now) take_pages(memory, bytes);
  return memory;
}

void AlignedBuffer::release(void* memory, std::size_t bytes) noexcept {
  if (kMapsLarge && bytes >= kLarge) {
    unmap(memory, bytes);
  } else {
    aligned_release(memory);
  }
}

}  // namespace mxinfer
