// What Pooling, Pooling_v1 and adaptive pooling ask for.
#pragma once

#include "kernels/pool_nd/pool_nd.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Of dense arrays. Fails for attributes that do not fit the input; `v1`: of Pooling_v1.
kernels::PoolArgs pool_args(const Attrs& attrs, const TensorType& input, bool v1);

/// Of the average that adaptive pooling is if the sizes of (N, C, H, W) arrays divide.
kernels::PoolArgs even_pool_args(const Shape& in, const Shape& out);

}  // namespace mxinfer::ops
