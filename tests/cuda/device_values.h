// Arrays of floats of any type on a GPU, or on its emulator.
//
//   const DeviceValues src(*device, stream, values, FloatType::float16);     // rounds
//   src.data();  src.values(stream);
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "device/cuda/cuda_device.h"
#include "kernels/common/bfloat16.h"
#include "kernels/common/float16.h"
#include "kernels/common/float_type.h"

namespace mxinfer::test {

/// The bytes of values in a type.
inline std::vector<std::byte> stored_bytes(const std::vector<float>& values, kernels::FloatType type) {
  std::vector<std::byte> bytes(values.size() * kernels::bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t half = type == kernels::FloatType::float16 ? kernels::Float16(values[i]).bits
                                                                   : kernels::BFloat16(values[i]).bits;
    const void* from = type == kernels::FloatType::float32 ? static_cast<const void*>(&values[i]) : &half;
    std::memcpy(bytes.data() + i * kernels::bytes_of(type), from, kernels::bytes_of(type));
  }
  return bytes;
}
inline std::vector<float> floats_of_bytes(const std::vector<std::byte>& bytes, kernels::FloatType type) {
  std::vector<float> values(bytes.size() / kernels::bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::byte* from = bytes.data() + i * kernels::bytes_of(type);
    if (type == kernels::FloatType::float32) {
      std::memcpy(&values[i], from, sizeof(float));
    } else if (type == kernels::FloatType::float16) {
      kernels::Float16 half;
      std::memcpy(&half.bits, from, sizeof half.bits);
      values[i] = static_cast<float>(half);
    } else {
      kernels::BFloat16 half;
      std::memcpy(&half.bits, from, sizeof half.bits);
      values[i] = static_cast<float>(half);
    }
  }
  return values;
}

/// Values as they are when they were stored in a type.
inline std::vector<float> rounded_to(const std::vector<float>& values, kernels::FloatType type) {
  return floats_of_bytes(stored_bytes(values, type), type);
}

/// How far the nearest number of a type may be, relative to a value.
inline double storing_error(kernels::FloatType type) {
  return type == kernels::FloatType::float32 ? 0 : type == kernels::FloatType::float16 ? 0x1p-11 : 0x1p-8;
}

/// The types of values that cuda:0 multiplies.
inline std::vector<kernels::FloatType> half_types() {
  std::vector<kernels::FloatType> types{kernels::FloatType::float16};
  if (device::CudaDevice::open(0)->has_precision(kernels::Precision::bfloat16))
    types.push_back(kernels::FloatType::bfloat16);
  return types;
}

/// Those of the process are copied when the object is made. `shift` elements stand in front of them, so that
/// the address is not a multiple of 16.
class DeviceValues {
 public:
  DeviceValues(device::CudaDevice& device, device::Stream& stream, const std::vector<float>& values,
               kernels::FloatType type = kernels::FloatType::float32, std::size_t shift = 0)
      : type_(type),
        bytes_(values.size() * kernels::bytes_of(type)),
        shift_(shift * kernels::bytes_of(type)),
        memory_(device.allocate(std::max<std::size_t>(bytes_ + shift_, 1))) {
    if (bytes_ == 0) return;
    const std::vector<std::byte> bytes = stored_bytes(values, type);
    stream.copy_to_device(data(), bytes.data(), bytes_);
    stream.synchronize();
  }
  void* data() const { return memory_->data() + shift_; }
  float* floats() const { return static_cast<float*>(data()); }
  std::vector<float> values(device::Stream& stream) const {
    std::vector<std::byte> bytes(bytes_);
    stream.copy_to_host(bytes.data(), data(), bytes_);
    stream.synchronize();
    return floats_of_bytes(bytes, type_);
  }

 private:
  kernels::FloatType type_;
  std::size_t bytes_, shift_;
  std::unique_ptr<device::Buffer> memory_;
};

}  // namespace mxinfer::test
