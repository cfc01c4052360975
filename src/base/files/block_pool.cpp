#include "base/files/block_pool.h"

#include <utility>

#include "base/files/pages.h"

namespace mxinfer {
namespace {

constexpr std::size_t kRegion = std::size_t{32} << 20;
// A smaller block shares its pages with the heap, and a larger one has a region of its own.
constexpr std::size_t kLeast = std::size_t{64} << 10, kMost = kRegion / 4;

}  // namespace

MemoryBlock::MemoryBlock(std::shared_ptr<AlignedBuffer> region, std::byte* data, std::size_t bytes) noexcept
    : region_(std::move(region)), data_(data), bytes_(bytes) {}

MemoryBlock::MemoryBlock(MemoryBlock&& other) noexcept
    : region_(std::move(other.region_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

MemoryBlock& MemoryBlock::operator=(MemoryBlock&& other) noexcept {
  std::swap(region_, other.region_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

MemoryBlock::~MemoryBlock() {
  // The region's other blocks keep it. Without them it goes as a whole.
  if (region_ != nullptr && region_.use_count() > 1) drop_pages(data_, bytes_);
}

MemoryBlock BlockPool::allocate(std::size_t bytes) {
  if (!kMapsLargeBlocks || bytes < kLeast || bytes > kMost) {
    auto own = std::make_shared<AlignedBuffer>(bytes, Pages::later);
    std::byte* const data = own->data();
    return {std::move(own), data, bytes};
  }
  const std::lock_guard lock(mutex_);
  if (region_ == nullptr || region_->bytes() - used_ < bytes) {
    region_ = std::make_shared<AlignedBuffer>(kRegion, Pages::later);
    used_ = 0;
  }
  std::byte* const data = region_->data() + used_;
  used_ += aligned_size(bytes);
  return {region_, data, bytes};
}

}  // namespace mxinfer
