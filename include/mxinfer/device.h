// Device: where the memory of a tensor is. A Tensor owns memory of the process. A view may refer to memory of
// a GPU, for Predictor::predict_on_device.
//
//   mxinfer::TensorView view(pixels.data(), {1, 3, 224, 224});
//   view.device().type == mxinfer::DeviceType::cpu;
#pragma once

#include <mxinfer/export.h>

#include <cstdint>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The kind of a device. The numbers are those in MXNet's files.
enum class DeviceType : std::int32_t { cpu = 1, cuda = 2 };

/// The index of all devices of a type: parse_devices("cuda:all").
inline constexpr std::int32_t kAllDevices = -1;

/// A device of this machine.
struct Device {
  DeviceType type = DeviceType::cpu;
  std::int32_t index = 0;  ///< among the devices of this type, from 0

  friend constexpr bool operator==(Device a, Device b) noexcept {
    return a.type == b.type && a.index == b.index;
  }
  friend constexpr bool operator!=(Device a, Device b) noexcept { return !(a == b); }
};

/// Returns "cpu" or a name such as "cuda:0" or "cuda:all". Returns "unknown" if the type is not a DeviceType.
[[nodiscard]] MXINFER_API std::string to_string(Device device);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
