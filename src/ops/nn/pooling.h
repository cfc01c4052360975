// What the attributes of Pooling and Pooling_v1 ask for.
#pragma once

#include "kernels/pool_nd/pool_nd.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Of dense arrays. Fails for attributes that do not fit the input; `v1`: of Pooling_v1.
kernels::PoolArgs pool_args(const Attrs& attrs, const TensorType& input, bool v1);

}  // namespace mxinfer::ops
