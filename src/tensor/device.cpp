#include <mxinfer/device.h>

namespace mxinfer {

std::string MXINFER_ABI::to_string(Device device) {
  switch (device.type) {
    case DeviceType::cpu:
      return "cpu";
    case DeviceType::cuda:
      return "cuda:" + (device.index == kAllDevices ? "all" : std::to_string(device.index));
  }
  return "unknown";
}

}  // namespace mxinfer
