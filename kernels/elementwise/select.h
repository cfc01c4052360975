// dst[i] = condition[i] != 0 ? x[i] : y[i].
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// condition: n elements of its own type. x, y, dst: n elements of `size` bytes (1, 2, 4 or 8) each.
using SelectFn = void (*)(const void* condition, const void* x, const void* y, void* dst, std::int64_t n);

/// Null for a size other than those.
SelectFn select_where(ElementType condition, std::size_t size);

/// The same with a step between the elements of each operand: 1, or 0 for one that is repeated.
using SelectSteppedFn = void (*)(const void* condition, const void* x, const void* y, void* dst,
                                 std::int64_t n, std::int64_t condition_step, std::int64_t x_step,
                                 std::int64_t y_step);
SelectSteppedFn select_where_stepped(ElementType condition, std::size_t size);

}  // namespace mxinfer::kernels
