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

/// Whether the dtype can have the value: whole numbers in its range for integers and bool (0 and 1); for
/// floating point any that is finite and rounds to one that is, and, if it is a whole number, itself.
bool holds(DType dtype, double value);

}  // namespace mxinfer
