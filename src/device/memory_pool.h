// MemoryPool: the memory of a device in which calls work. Each call takes a block and gives it back, so calls
// of all plans and predictors of the process share blocks unless they run at the same time.
//
//   MemoryPool::Block block = gpu->pool().take(bytes, {});
//   stream->copy_to_device(block.data(), values, bytes);        // given back when `block` goes
#pragma once

#include <mxinfer/span.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device.h"

namespace mxinfer::device {

/// Thread-safe.
class MemoryPool {
 public:
  using Clock = std::chrono::steady_clock;

  /// `device` must outlive it.
  explicit MemoryPool(Device& device) : device_(device) {}

  class Block;
  /// A free block of `preferred` addresses, else the smallest free one that is large enough, else a new one,
  /// which replaces a free one that is too small: there are as many blocks as calls ran at the same time.
  /// Throws as Device::allocate(). Precondition of giving it back: no work on it is left.
  Block take(std::size_t bytes, Span<const std::byte* const> preferred);

  std::size_t free_bytes();
  /// Returns the bytes of the free blocks to the device; how many.
  std::size_t release_free();
  /// Those that have been free since before `time`.
  std::size_t release_free_since(Clock::time_point time);

  /// Without users, nothing stays free.
  void add_user();
  void remove_user();

 private:
  struct Free {
    std::unique_ptr<Buffer> buffer;
    Clock::time_point since;
  };

  std::unique_ptr<Buffer> take_free(std::size_t bytes, Span<const std::byte* const> preferred);
  /// The largest free block, if any.
  std::unique_ptr<Buffer> take_outgrown();
  void give_back(std::unique_ptr<Buffer> buffer) noexcept;

  Device& device_;
  std::mutex mutex_;
  std::vector<Free> free_;
  int users_ = 0;
};

class MemoryPool::Block {
 public:
  Block() = default;
  Block(MemoryPool& pool, std::unique_ptr<Buffer> buffer) : pool_(&pool), buffer_(std::move(buffer)) {}
  Block(Block&&) noexcept = default;
  Block& operator=(Block&& other) noexcept {
    give_back();
    pool_ = other.pool_;
    buffer_ = std::move(other.buffer_);
    return *this;
  }
  ~Block() { give_back(); }

  std::byte* data() const { return buffer_ ? buffer_->data() : nullptr; }

 private:
  void give_back() noexcept {
    if (buffer_) pool_->give_back(std::move(buffer_));
  }

  MemoryPool* pool_ = nullptr;
  std::unique_ptr<Buffer> buffer_{};
};

}  // namespace mxinfer::device
