#include "ops/cuda/device_tables.h"

#include "base/files/aligned_memory.h"

namespace mxinfer::ops {

std::size_t DeviceTables::add_bytes(const void* values, std::size_t bytes) {
  const std::size_t offset = aligned_size(bytes_.size());
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
