// Steps whose outputs are known when the plan is made.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The step that gives output 0 the elements of `value`.
Step constant_step(Tensor value);

/// Element i of a tensor of any dtype from a number; integers as kernels/common/element_type.h converts,
/// wrapping around like MXNet.
void store_number(Tensor& tensor, std::int64_t i, double value);

}  // namespace mxinfer::ops
