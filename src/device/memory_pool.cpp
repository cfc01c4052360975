#include "device/memory_pool.h"

#include <algorithm>
#include <iterator>
#include <new>

namespace mxinfer::device {

std::unique_ptr<Buffer> MemoryPool::take_free(std::size_t bytes, Span<const std::byte* const> preferred) {
  const std::lock_guard lock(mutex_);
  auto best = free_.end();
  bool is_preferred = false;
  for (auto block = free_.begin(); block != free_.end() && !is_preferred; ++block) {
    if (block->buffer->bytes() < bytes) continue;
    const std::byte* const address = block->buffer->data();
    is_preferred = std::find(preferred.begin(), preferred.end(), address) != preferred.end();
    if (is_preferred || best == free_.end() || block->buffer->bytes() < best->buffer->bytes()) best = block;
  }
  if (best == free_.end()) return nullptr;
  std::unique_ptr<Buffer> taken = std::move(best->buffer);
  free_.erase(best);
  return taken;
}

std::unique_ptr<Buffer> MemoryPool::take_outgrown() {
  const std::lock_guard lock(mutex_);
  const auto largest = std::max_element(free_.begin(), free_.end(), [](const Free& a, const Free& b) {
    return a.buffer->bytes() < b.buffer->bytes();
  });
  if (largest == free_.end()) return nullptr;
  std::unique_ptr<Buffer> taken = std::move(largest->buffer);
  free_.erase(largest);
  return taken;
}

MemoryPool::Block MemoryPool::take(std::size_t bytes, Span<const std::byte* const> preferred) {
  if (bytes == 0) return {};
  std::unique_ptr<Buffer> buffer = take_free(bytes, preferred);
  if (!buffer) {
    take_outgrown().reset();
    buffer = device_.allocate(bytes);
  }
  return {*this, std::move(buffer)};
}

void MemoryPool::give_back(std::unique_ptr<Buffer> buffer) noexcept try {
  const std::lock_guard lock(mutex_);
  if (users_ > 0 && !device_.is_lost()) free_.push_back({std::move(buffer), Clock::now()});
} catch (const std::bad_alloc&) {
  // Without memory for the list, the block is released.
}

std::size_t MemoryPool::free_bytes() {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const Free& block : free_) bytes += block.buffer->bytes();
  return bytes;
}

std::size_t MemoryPool::release_free() {
  return release_free_since(Clock::time_point::max());
}

std::size_t MemoryPool::release_free_since(Clock::time_point time) {
  std::vector<Free> released;
  const std::lock_guard lock(mutex_);
  const auto stays = std::stable_partition(free_.begin(), free_.end(),
                                           [&](const Free& block) { return block.since < time; });
  std::move(free_.begin(), stays, std::back_inserter(released));
  free_.erase(free_.begin(), stays);
  std::size_t bytes = 0;
  for (const Free& block : released) bytes += block.buffer->bytes();
  return bytes;
}

void MemoryPool::add_user() {
  const std::lock_guard lock(mutex_);
  ++users_;
}

void MemoryPool::remove_user() {
  std::vector<Free> released;
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) released.swap(free_);
}

}  // namespace mxinfer::device
