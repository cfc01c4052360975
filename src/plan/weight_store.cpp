#include "plan/weight_store.h"

namespace mxinfer::plan {

std::shared_ptr<const AlignedBuffer> WeightStore::packed(const std::shared_ptr<const Tensor>& parameter,
                                                         const std::string& packing, std::size_t bytes,
                                                         const std::function<void(std::byte*)>& pack) {
  // Packing under the lock: two plans that are made at once then never pack the same weight twice.
  const std::lock_guard lock(mutex_);
  auto& entry = packed_[{parameter, packing}];
  if (!entry) {
    auto buffer = std::make_shared<AlignedBuffer>(bytes);
    pack(buffer->data());
    entry = std::move(buffer);
  }
  return entry;
}

}  // namespace mxinfer::plan
