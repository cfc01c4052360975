// Converts numbers of one dtype to another.
//
//   const char* why = convert_numbers(elements, DType::float32, row);   // null, or why a value does not fit
#pragma once

#include <mxinfer/dtype.h>

#include "table/column.h"
#include "tensor/floating.h"

namespace mxinfer::table {

/// Whether numbers of `from` convert to `to`: all to floats, integers and booleans to integers. Each value is
/// checked if the integer is narrower.
bool can_convert(DType from, DType to);

/// Writes `from.count` numbers to `dst`, which has the dtype `to`. Returns null, or the reason why one does
/// not fit. Precondition: can_convert. Null elements get arbitrary values.
const char* convert_numbers(const Elements& from, DType to, void* dst);

/// Writes a NaN `count` times. Precondition: a float.
void write_nans(DType dtype, void* dst, std::int64_t count);

}  // namespace mxinfer::table
