// How many windows a pooling has along one dimension.
#pragma once

#include <cstdint>
#include <string>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::ops {

/// `convention`: Pooling's pooling_convention. Fails if the kernel is larger than the padded input.
inline std::int64_t pool_windows(const std::string& convention, std::int64_t size, std::int64_t kernel,
                                 std::int64_t stride, std::int64_t pad) {
  const std::int64_t padded = size + 2 * pad;
  if (convention == "same") return ceil_div(padded, stride);
  if (kernel > padded) {
    fail(ErrorCode::invalid_argument, "kernel size ", kernel, " exceeds the input's ", size,
         " elements padded to ", padded);
  }
  if (convention == "valid") return 1 + (padded - kernel) / stride;
  return 1 + ceil_div(padded - kernel, stride);
}

}  // namespace mxinfer::ops
