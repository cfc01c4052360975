#include "ops/common/constant_step.h"

#include <algorithm>
#include <cstring>

#include "kernels/common/element_type.h"

namespace mxinfer::ops {
namespace {

template <typename T>
void store_integer(Tensor& tensor, std::int64_t i, double value) {
  tensor.data<T>()[i] = kernels::convert<T>(value);
}

/// The parts are of type Part; integers wrap around as they do in MXNet.
template <typename T, typename Part>
void fill(Tensor& tensor, const NumberSequence& sequence) {
  const Part start = kernels::convert<Part>(sequence.start), step = kernels::convert<Part>(sequence.step);
  T* dst = static_cast<T*>(tensor.raw());
  for (std::int64_t i = 0; i < sequence.count; ++i) {
    const std::int64_t steps = i / sequence.repeat;
    if constexpr (std::is_floating_point_v<Part>) {
      dst[i] = start + static_cast<Part>(steps) * step;
    } else {
      const auto sum = static_cast<std::uint64_t>(start) +
                       static_cast<std::uint64_t>(steps) * static_cast<std::uint64_t>(step);
      dst[i] = kernels::convert<T>(static_cast<std::int64_t>(sum));
    }
  }
}

}  // namespace

Step constant_step(Tensor value) {
  Step step{.kernel = "constant", .reason = "known when the plan is made"};
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

StoredNumber stored_number(DType dtype, double value) {
  Tensor element(dtype, Shape{1});
  store_number(element, 0, value);
  StoredNumber number;
  std::memcpy(number.bytes, element.raw(), element.bytes());
  return number;
}

void fill_diagonal(Tensor& matrix, std::int64_t k) {
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  if (k <= -rows || k >= columns) return;
  for (std::int64_t row = std::max<std::int64_t>(0, -k); row < rows && row + k < columns; ++row)
    store_number(matrix, row * columns + row + k, 1);
}

void fill_all(Tensor& tensor, double value) {
  if (tensor.elements() == 0) return;
  store_number(tensor, 0, value);
  // What is there is copied behind itself, twice as much each time.
  auto* bytes = static_cast<std::byte*>(tensor.raw());
  for (std::size_t done = size_of(tensor.dtype()); done < tensor.bytes(); done *= 2)
    std::memcpy(bytes + done, bytes, std::min(done, tensor.bytes() - done));
}

void fill_sequence(Tensor& tensor, const NumberSequence& sequence) {
  switch (tensor.dtype()) {
    case DType::float32:
      return fill<float, float>(tensor, sequence);
    case DType::float64:
      return fill<double, double>(tensor, sequence);
    case DType::float16:
      return fill<kernels::Float16, std::int32_t>(tensor, sequence);
    case DType::int32:
      return fill<std::int32_t, std::int32_t>(tensor, sequence);
    case DType::int64:
      return fill<std::int64_t, std::int64_t>(tensor, sequence);
    case DType::int8:
      return fill<std::int8_t, std::int8_t>(tensor, sequence);
    case DType::uint8:
      return fill<std::uint8_t, std::uint8_t>(tensor, sequence);
    default:
      fail(ErrorCode::unsupported, "a sequence of ", to_string(tensor.dtype()));
  }
}

}  // namespace mxinfer::ops
