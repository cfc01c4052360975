// Tensor::pinned: a tensor in the staging memory of a device.
#include <mxinfer/tensor.h>

#include "base/fail.h"
#include "ops/backend.h"
#include "ops/tensor_type.h"
#include "tensor/names.h"
#include "tensor/pinned_memory.h"

namespace mxinfer {

Tensor Tensor::pinned(DType dtype, const Shape& shape, const std::string& device) {
  if (!devices_named(device)) {
    fail(ErrorCode::invalid_argument, "pinned memory was requested of \"", printable(device),
         "\", which is not a device; give ", kDeviceNames);
  }
  // Memory of one GPU is pinned for all.
  const auto opened = ops::open_devices(device).front().device;
  if (!opened) return uninitialized(dtype, shape);
  ops::require_possible({dtype, shape});
  Tensor tensor;
  tensor.elements_ = shape.elements();
  tensor.dtype_ = dtype;
  tensor.shape_ = shape;
  const std::shared_ptr<device::Buffer> memory =
      opened->allocate_staging(pinned_bytes(ops::bytes_of({dtype, shape})));
  tensor.data_ = put_owner(memory, memory->data());
  tensor.is_pinned_ = true;
  return tensor;
}

}  // namespace mxinfer
