#include "ops/devices.h"

#include <optional>

#include "base/fail.h"
#include "device/cuda/cuda_device.h"
#include "ops/cuda/cuda_backend.h"
#include "tensor/names.h"

namespace mxinfer::ops {
OpenedDevice open_device(std::string_view name) {
  const std::optional<Device> named = device_named(name);
  if (!named) {
    fail(ErrorCode::invalid_argument, "Options::device (--device) is \"", printable(name),
         "\", which is not a device; give ", kDeviceNames);
  }
  if (named->type == DeviceType::cpu) return {};
  const auto device = device::CudaDevice::open(named->index);
  return {device, &cuda_backend(*device)};
}

}  // namespace mxinfer::ops
