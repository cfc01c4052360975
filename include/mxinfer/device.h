// Device: where the memory of a tensor is. Tensors own memory of the process; views may be of memory of a
// GPU, for Predictor::predict_on_device.
//
//   mxinfer::TensorView view(pixels.data(), {1, 3, 224, 224});
//   view.device().type == mxinfer::DeviceType::cpu;
#pragma once

#include <mxinfer/export.h>

#include <cstdint>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The numbers are those of MXNet's files.
enum class DeviceType : std::int32_t { cpu = 1, cuda = 2 };

struct Device {
  DeviceType type = DeviceType::cpu;
  std::int32_t index = 0;  ///< among the devices of that type, from 0

  friend constexpr bool operator==(Device a, Device b) noexcept {
    return a.type == b.type && a.index == b.index;
  }
  friend constexpr bool operator!=(Device a, Device b) noexcept { return !(a == b); }
};

/// "cpu", "cuda:0"; "unknown" for a number that is not a DeviceType.
[[nodiscard]] MXINFER_API std::string to_string(Device device);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
