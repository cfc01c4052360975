// Numbers written as elements of any dtype: ids, padding, lengths.
//
//   const ElementWriter write = element_writer(DType::float16);
//   write(row, 3, 17.0);
#pragma once

#include <mxinfer/dtype.h>

#include <cstdint>

namespace mxinfer {

using ElementWriter = void (*)(void* data, std::int64_t index, double value);

/// Precondition of what it returns: holds(dtype, value).
ElementWriter element_writer(DType dtype);

/// Whether the dtype can hold the value. Integers and bool (0 and 1) hold whole numbers in their range;
/// floating point holds finite numbers that stay finite when rounded, and whole numbers only if they are
/// exact.
bool holds(DType dtype, double value);

}  // namespace mxinfer
