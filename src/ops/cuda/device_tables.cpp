#include "ops/cuda/device_tables.h"

#include "base/checked.h"

namespace mxinfer::ops {

std::size_t DeviceTables::add_bytes(const void* values, std::size_t bytes) {
  constexpr std::int64_t kAlign = 64;
  const auto offset = static_cast<std::size_t>(round_up(static_cast<std::int64_t>(bytes_.size()), kAlign));
  bytes_.resize(offset + bytes);
  if (bytes != 0) std::memcpy(bytes_.data() + offset, values, bytes);
  return offset;
}

std::shared_ptr<const device::Buffer> DeviceTables::copy_to(const device::CudaDevice& device) const {
  const auto opened = device::CudaDevice::open(device.index());
  std::shared_ptr<device::Buffer> memory = opened->allocate(bytes_.size());
  const auto stream = opened->new_stream();
  stream->copy_to_device(memory->data(), bytes_.data(), bytes_.size());
  stream->synchronize();
  return memory;
}

}  // namespace mxinfer::ops
