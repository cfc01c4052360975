#include "ops/common/constant_step.h"

#include <cstring>
#include <memory>

#include "base/fail.h"
#include "kernels/common/element_type.h"

namespace mxinfer::ops {
namespace {

template <typename T>
void store_integer(Tensor& tensor, std::int64_t i, double value) {
  tensor.data<T>()[i] = kernels::convert<T>(value);
}

}  // namespace

Step constant_step(Tensor value) {
  Step step;
  step.kernel = "constant";
  step.reason = "known when the plan is made";
  auto shared = std::make_shared<const Tensor>(std::move(value));
  step.run = [shared](const RunContext& context) {
    if (shared->bytes() != 0) std::memcpy(context.outputs[0], shared->raw(), shared->bytes());
  };
  return step;
}

void store_number(Tensor& tensor, std::int64_t i, double value) {
  switch (tensor.dtype()) {
    case DType::float32:
      tensor.data<float>()[i] = static_cast<float>(value);
      return;
    case DType::float64:
      tensor.data<double>()[i] = value;
      return;
    case DType::float16:
      tensor.data<Half>()[i] = Half(static_cast<float>(value));
      return;
    case DType::bfloat16:
      tensor.data<BFloat16>()[i] = BFloat16(static_cast<float>(value));
      return;
    case DType::boolean:
      tensor.data<bool>()[i] = value != 0;
      return;
    case DType::uint8:
      return store_integer<std::uint8_t>(tensor, i, value);
    case DType::int8:
      return store_integer<std::int8_t>(tensor, i, value);
    case DType::int16:
      return store_integer<std::int16_t>(tensor, i, value);
    case DType::uint16:
      return store_integer<std::uint16_t>(tensor, i, value);
    case DType::int32:
      return store_integer<std::int32_t>(tensor, i, value);
    case DType::uint32:
      return store_integer<std::uint32_t>(tensor, i, value);
    case DType::int64:
      return store_integer<std::int64_t>(tensor, i, value);
    case DType::uint64:
      return store_integer<std::uint64_t>(tensor, i, value);
  }
  fail(ErrorCode::unsupported, "dtype ", static_cast<int>(tensor.dtype()), " cannot be filled");
}

}  // namespace mxinfer::ops
