#include "ops/elementwise/converted_rows.h"

#include <algorithm>

#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// Two blocks of 8-byte elements are half of a first-level cache.
constexpr std::int64_t kConvertedBlock = 1024;

}  // namespace

ConvertedRows::ConvertedRows(const kernels::BinaryKernel& kernel, const DTypes& dtypes,
                             std::array<bool, 2> advances)
    : loop_(binary_loop(kernel, advances[0], advances[1])),
      sizes_{size_of(dtypes.operands[0]), size_of(dtypes.operands[1])},
      advances_(advances),
      out_size_(size_of(dtypes.out)) {
  for (std::size_t i = 0; i < 2; ++i) {
    const DType from = dtypes.operands[i], to = dtypes.compute;
    if (from == to) continue;
    casts_[i] = kernels::select_cast(element_type(from), element_type(to));
    if (casts_[i] == nullptr) {
      fail(ErrorCode::unsupported, "a cast from ", to_string(from), " to ", to_string(to),
           " is not supported");
    }
  }
}

void ConvertedRows::run(std::array<const std::byte*, 2> operands, std::byte* dst, std::int64_t n) const {
  if (!converts()) return loop_(operands[0], operands[1], dst, n);
  alignas(64) std::byte blocks[2][kConvertedBlock * 8];
  for (std::int64_t i = 0; i < n; i += kConvertedBlock) {
    const std::int64_t count = std::min(kConvertedBlock, n - i);
    std::array<const std::byte*, 2> from{};
    for (std::size_t k = 0; k < 2; ++k) {
      from[k] = operands[k] + (advances_[k] ? static_cast<std::size_t>(i) * sizes_[k] : 0);
      if (casts_[k] == nullptr) continue;
      if (advances_[k] || i == 0) casts_[k](from[k], blocks[k], advances_[k] ? count : 1);
      from[k] = blocks[k];
    }
    loop_(from[0], from[1], dst + static_cast<std::size_t>(i) * out_size_, count);
  }
}

}  // namespace mxinfer::ops
