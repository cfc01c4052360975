#include "device/device.h"

#include "device/memory_pool.h"

namespace mxinfer::device {

Device::Device() : pool_(std::make_unique<MemoryPool>(*this)) {}

Device::~Device() = default;

std::string Device::reason_of_loss() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

void Device::lose(const std::string& reason) const {
  const std::lock_guard lock(mutex_);
  if (is_lost_) return;
  reason_ = reason;
  is_lost_ = true;
}

}  // namespace mxinfer::device
