#include <mxinfer/device.h>

namespace mxinfer {

std::string MXINFER_ABI::to_string(Device device) {
  return device.type == DeviceType::cpu ? "cpu" : "unknown";
}

}  // namespace mxinfer
