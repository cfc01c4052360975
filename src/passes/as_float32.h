// float16 and bfloat16 parameters as float32.
#pragma once

#include <mxinfer/tensor.h>

namespace mxinfer::passes {

/// Writes the elements of a float16 or bfloat16 tensor to dst as float32.
void write_as_float32(const Tensor& tensor, void* dst);

}  // namespace mxinfer::passes
