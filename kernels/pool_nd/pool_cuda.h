// The pooling of pool_nd.h and adaptive_pool.h on a GPU.
#pragma once

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/pool_nd/adaptive_pool.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels::cuda {

/// As pool_nd.h says, of dense arrays of `type`; sums are accumulated in float.
Status pool(const PoolArgs& args, FloatType type, const void* src, void* dst, const Stream& stream);

/// As adaptive_pool.h says, `planes` planes of `type` at src and dst, in place of those in args.
Status adaptive_avg_pool(const AdaptivePoolArgs<float>& args, FloatType type, std::int64_t planes,
                         const void* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
