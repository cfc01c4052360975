#include "ops/layout/reorder_parameter.h"

#include <cstdint>

#include "base/fail.h"
#include "kernels/gemm/transpose.h"
#include "ops/layout/channels_last.h"

namespace mxinfer::ops {
namespace {

template <typename Word>
void transpose_each(const Tensor& source, void* dst) {
  const Shape& shape = source.shape();
  const std::int64_t channels = shape.back(), positions = shape.elements(1, shape.rank() - 1);
  const auto* src = static_cast<const Word*>(source.raw());
  auto* out = static_cast<Word*>(dst);
  for (std::int64_t m = 0; m < shape[0]; ++m) {
    const std::int64_t at = m * channels * positions;
    kernels::transpose(src + at, channels, out + at, positions, channels);
  }
}

void write_channels_first(const Tensor& source, void* dst) {
  switch (size_of(source.dtype())) {
    case 1:
      return transpose_each<std::uint8_t>(source, dst);
    case 2:
      return transpose_each<std::uint16_t>(source, dst);
    case 4:
      return transpose_each<std::uint32_t>(source, dst);
    default:
      return transpose_each<std::uint64_t>(source, dst);
  }
}

}  // namespace

std::shared_ptr<const Parameter> as_channels_first(const std::shared_ptr<const Parameter>& source) {
  return std::make_shared<const Parameter>(
      source->dtype(), to_channels_first(source->shape()),
      [source](void* dst) { write_channels_first(*source->value(), dst); },
      [source] { return source->is_at_hand(); });
}

}  // namespace mxinfer::ops
