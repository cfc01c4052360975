#include "base/files/aligned_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/fail.h"
#include "base/files/pages.h"

namespace mxinfer {
namespace {

// Blocks of this size and above hold weights and values of whole networks.
constexpr std::size_t kLarge = std::size_t{1} << 18;

#if defined(__linux__)
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::byte* map_pages(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

void unmap(void* memory, std::size_t bytes) noexcept {
  if (bytes > 0) (void)::munmap(memory, bytes);
}

// A block of several huge pages begins with one. It ends where it must: a huge page that is not all there
// stays small pages.
void* map(std::size_t bytes) {
  if (bytes < 2 * kHugePage || bytes > kMostBytes) return map_pages(bytes);
  const std::size_t size = (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
  std::byte* const memory = map_pages(size + kHugePage);
  if (memory == nullptr) return nullptr;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(memory) % kHugePage;
  unmap(memory, before);
  unmap(memory + before + size, kHugePage - before);
#if defined(MADV_HUGEPAGE)
  (void)::madvise(memory + before, size, MADV_HUGEPAGE);
#endif
  return memory + before;
}
#else
void* map(std::size_t /*bytes*/) {
  return nullptr;
}

void unmap(void* /*memory*/, std::size_t /*bytes*/) noexcept {}
#endif

}  // namespace

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
  if (!kMapsLargeBlocks || bytes < kLarge) return aligned_allocate(bytes, pages);
  void* const memory = map(bytes);
  if (memory == nullptr) fail(ErrorCode::out_of_memory, "could not allocate ", bytes, " bytes");
  if (pages == Pages::now) take_pages(memory, bytes);
  return memory;
}

void AlignedBuffer::release(void* memory, std::size_t bytes) noexcept {
  if (kMapsLargeBlocks && bytes >= kLarge) {
    unmap(memory, bytes);
  } else {
    aligned_release(memory);
  }
}

}  // namespace mxinfer
