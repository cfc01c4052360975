// Numbers of one dtype as those of another.
//
//   const char* why = convert_numbers(elements, DType::float32, row);   // null, or why a value does not fit
#pragma once

#include <mxinfer/dtype.h>

#include "table/column.h"
#include "tensor/floating.h"

namespace mxinfer::table {

/// Whether numbers of `from` can be those of `to`: any a float, integers and booleans an integer; of an
/// integer that is narrower each value is looked at.
bool can_convert(DType from, DType to);

/// Writes `from.count` numbers to `dst`, which has the dtype `to`. Null, or what is wrong with one of them:
/// it does not fit. Precondition: can_convert. Nulls among them are whatever their bytes are.
const char* convert_numbers(const Elements& from, DType to, void* dst);

/// Writes a NaN `count` times. Precondition: a float.
void write_nans(DType dtype, void* dst, std::int64_t count);

}  // namespace mxinfer::table
