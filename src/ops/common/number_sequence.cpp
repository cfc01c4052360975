#include "ops/common/number_sequence.h"

#include "base/fail.h"
#include "kernels/common/element_type.h"

namespace mxinfer::ops {
namespace {

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
