#include "base/aligned_memory.h"

#include <cstdlib>
#include <limits>

#include "base/fail.h"

namespace mxinfer {

void* aligned_allocate(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded >= bytes) memory = std::aligned_alloc(kAlignment, rounded == 0 ? kAlignment : rounded);
  if (memory == nullptr) fail(ErrorCode::out_of_memory, "could not allocate ", bytes, " bytes");
  return memory;
}

void aligned_release(void* memory) noexcept {
  std::free(memory);
}

}  // namespace mxinfer
