// The step of a pooling of 8-bit values, whose step they keep.
#pragma once

#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {

/// The arguments of pooling 8-bit values of that shape, (N, C, spatial...). Fails for attributes that do not
/// fit, and for types of pooling other than max and avg.
kernels::PoolArgs int8_pool_args(const Attrs& attrs, const Shape& shape);
/// The same, channels-last: (N, spatial..., C).
kernels::PoolArgs int8_pool_args_last(const Attrs& attrs, const Shape& shape);

/// Of a node of _mxinfer_pooling_int8.
kernels::PoolArgs int8_pool_args(const OpProblem& node);

/// From input 0 to output 0.
Step int8_pool_step(const LowerContext& context, const kernels::PoolArgs& args);

}  // namespace mxinfer::ops
