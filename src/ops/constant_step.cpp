#include "ops/constant_step.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "base/fail.h"

namespace mxinfer::ops {
namespace {

template <typename T>
void store_integer(Tensor& tensor, std::int64_t i, double value) {
  const double whole = std::trunc(value);
  // The largest integers have no double of their own: the bound above is excluded, 2^n.
  const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) && whole < above)) {
    fail(ErrorCode::invalid_argument, value, " does not fit into ", to_string(tensor.dtype()));
  }
  tensor.data<T>()[i] = static_cast<T>(whole);
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
