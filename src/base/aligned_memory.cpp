#include "base/aligned_memory.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/fail.h"

namespace mxinfer {
namespace {

// From here on blocks are weights and values of whole networks, written from end to end as soon as they are
// there: to take their pages one fault at a time is a third of the time from a cold process to its first
// prediction.
constexpr std::size_t kLarge = std::size_t{1} << 18;

// Asks for the pages inside of a block at once. Where the system cannot, they come one by one.
void populate(void* memory, std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage * kPage;
  if (begin < end) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace

void* aligned_allocate(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded >= bytes) memory = std::aligned_alloc(kAlignment, rounded == 0 ? kAlignment : rounded);
  if (memory == nullptr) fail(ErrorCode::out_of_memory, "could not allocate ", bytes, " bytes");
  if (bytes >= kLarge) populate(memory, bytes);
  return memory;
}

void aligned_release(void* memory) noexcept {
  std::free(memory);
}

}  // namespace mxinfer
