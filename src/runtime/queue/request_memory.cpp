#include "runtime/queue/request_memory.h"

#include <new>

namespace mxinfer::runtime {
namespace {

constexpr std::align_val_t kAlign{64};

}  // namespace

RequestMemory::~RequestMemory() {
  for (List& list : lists_) {
    while (list.first != nullptr) {
      Block* const block = list.first;
      list.first = block->next;
      ::operator delete(block, kAlign);
    }
  }
}

std::size_t RequestMemory::size_index(std::size_t bytes) noexcept {
  std::size_t index = 0;
  while (index < kSizes && (kSmallest << index) < bytes) ++index;
  return index;
}

void* RequestMemory::take(std::size_t bytes) {
  const std::size_t index = size_index(bytes);
  if (index == kSizes) return ::operator new(bytes, kAlign);
  {
    const std::lock_guard lock(mutex_);
    List& list = lists_[index];
    if (list.first != nullptr) {
      Block* const block = list.first;
      list.first = block->next;
      --list.count;
      return block;
    }
  }
  return ::operator new(kSmallest << index, kAlign);
}

void RequestMemory::give_back(void* memory, std::size_t bytes) noexcept {
  const std::size_t index = size_index(bytes);
  if (index < kSizes) {
    const std::lock_guard lock(mutex_);
    List& list = lists_[index];
    if (list.count < kept_) {
      list.first = new (memory) Block{list.first};
      ++list.count;
      return;
    }
  }
  ::operator delete(memory, kAlign);
}

}  // namespace mxinfer::runtime
