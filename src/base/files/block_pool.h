// BlockPool: large blocks one behind another in regions of huge pages, for what is read from end to end again
// and again, as the weights of a network are. With pages of 4 KiB such a read misses the TLB at every page.
//
//   BlockPool pool;
//   MemoryBlock block = pool.allocate(bytes);
//   take_pages(block.data(), block.bytes());        // before all of it is written
//
// A block that is released gives its pages back at once; its region goes with its last block.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "base/files/aligned_memory.h"

namespace mxinfer {

/// Owns aligned bytes of a pool. Their contents start undefined.
class MemoryBlock {
 public:
  MemoryBlock() = default;
  MemoryBlock(std::shared_ptr<AlignedBuffer> region, std::byte* data, std::size_t bytes) noexcept;
  MemoryBlock(MemoryBlock&& other) noexcept;
  MemoryBlock& operator=(MemoryBlock&& other) noexcept;
  ~MemoryBlock();

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::shared_ptr<AlignedBuffer> region_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Thread-safe. Blocks may outlive it.
class BlockPool {
 public:
  /// Throws Error(out_of_memory) if the system refuses the address space.
  MemoryBlock allocate(std::size_t bytes);

 private:
  std::mutex mutex_;
  std::shared_ptr<AlignedBuffer> region_;  ///< from which the next blocks are taken
  std::size_t used_ = 0;                   ///< of its bytes
};

}  // namespace mxinfer
