// Elements of any dtype as double, for comparing arrays; integers beyond 2^53 are rounded.
//
//   const ElementReader read = element_reader(tensor.dtype());
//   read(tensor.raw(), 3);
#pragma once

#include <mxinfer/dtype.h>

#include <cstdint>

namespace mxinfer {

using ElementReader = double (*)(const void* data, std::int64_t index);

ElementReader element_reader(DType dtype);

}  // namespace mxinfer
