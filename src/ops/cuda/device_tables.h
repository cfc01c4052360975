// DeviceTables: constants that a step reads and that are no parameters of the model (the taps of a resize, a
// sequence of numbers), in the memory of the device.
//
//   DeviceTables tables;
//   const std::size_t weights = tables.add(values.data(), values.size());
//   const auto memory = tables.copy_to(device);               // the step holds it
//   step.run = [memory, weights](...) { at<float>(*memory, weights); };
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "base/files/aligned_memory.h"
#include "device/cuda/cuda_device.h"

namespace mxinfer::ops {

class DeviceTables {
 public:
  /// Copies `count` values; returns where they will be, in bytes from the start of the memory.
  template <typename T>
  std::size_t add(const T* values, std::size_t count) {
    return add_bytes(values, count * sizeof(T));
  }
  /// All that was added, in memory of the device. Returns when it is there.
  std::shared_ptr<const device::Buffer> copy_to(const device::CudaDevice& device) const;

 private:
  std::size_t add_bytes(const void* values, std::size_t bytes);

  std::vector<std::byte> bytes_;
};

inline std::size_t DeviceTables::add_bytes(const void* values, std::size_t bytes) {
  const std::size_t offset = aligned_size(bytes_.size());
  bytes_.resize(offset + bytes);
  if (bytes != 0) std::memcpy(bytes_.data() + offset, values, bytes);
  return offset;
}

inline std::shared_ptr<const device::Buffer> DeviceTables::copy_to(const device::CudaDevice& device) const {
  const auto opened = device::CudaDevice::open(device.index());
  std::shared_ptr<device::Buffer> memory = opened->allocate(bytes_.size());
  const auto stream = opened->new_stream();
  stream->copy_to_device(memory->data(), bytes_.data(), bytes_.size());
  stream->synchronize();
  return memory;
}

template <typename T>
const T* table_at(const device::Buffer& memory, std::size_t offset) {
  return reinterpret_cast<const T*>(memory.data() + offset);
}

}  // namespace mxinfer::ops
