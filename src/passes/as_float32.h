// float16 and bfloat16 parameters as float32.
#pragma once

#include <mxinfer/tensor.h>

#include <memory>

#include "tensor/parameter.h"

namespace mxinfer::passes {

/// Writes the elements of a float16 or bfloat16 tensor to dst as float32.
void write_as_float32(const Tensor& tensor, void* dst);

/// A float16 or bfloat16 parameter as float32, made when it is asked for, as its source may be.
std::shared_ptr<const Parameter> as_float32(const std::shared_ptr<const Parameter>& source);

}  // namespace mxinfer::passes
