#include "ops/backend.h"

#include <algorithm>

#include "device/cuda/cuda_device.h"
#include "ops/cuda/cuda_backend.h"
#include "ops/implementation.h"
#include "tensor/names.h"

namespace mxinfer::ops {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  Implementations implementations(const OpProblem& node) const override {
    const OpDef& op = *node.node().op;
    if (op.implementations) return op.implementations(node);
    Implementation only{.name = op.name, .lower = op.lower};
    return {{}, {only}};
  }
  bool takes_strided_input(const graph::Node& node, const TensorType& type, std::int64_t) const override {
    const auto takes = node.op->traits.strided_input;
    return takes != nullptr && takes(node, arithmetic_type(type), type.shape.rank());
  }
  bool takes_strided_output(const graph::Node& node, const TensorType& type, std::int64_t) const override {
    const auto takes = node.op->traits.strided_output;
    return takes != nullptr && takes(node, arithmetic_type(type), type.shape.rank());
  }
};

}  // namespace

const Backend& cpu_backend() {
  // Never destroyed: destructors of a program's static objects may still predict.
  static const Backend& backend = *new CpuBackend;
  return backend;
}

namespace {

OpenedDevice open_gpu(int index) {
  const auto device = device::CudaDevice::open(index);
  return {device, &cuda_backend(*device)};
}

}  // namespace

std::vector<OpenedDevice> open_devices(std::string_view names) {
  const auto named = devices_named(names);
  if (!named) {
    fail(ErrorCode::invalid_argument, "Options::device (--device) is \"", printable(names),
         "\", which is not a device; give ", kDeviceNames);
  }
  if (named->front().type == DeviceType::cpu) return {OpenedDevice{}};
  std::vector<OpenedDevice> opened;
  if (named->front().index == kAllDevices) {
    // Without any, the first one says what is missing.
    const int count = std::max(device::CudaDevice::count(), 1);
    for (int index = 0; index < count; ++index) opened.push_back(open_gpu(index));
  } else {
    for (const Device& device : *named) opened.push_back(open_gpu(device.index));
  }
  return opened;
}

}  // namespace mxinfer::ops
