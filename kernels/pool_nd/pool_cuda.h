// The pooling of pool_nd.h and adaptive_pool.h on a GPU.
#pragma once

#include "kernels/cuda/stream.h"
#include "kernels/pool_nd/adaptive_pool.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels::cuda {

/// As pool_nd.h says, of dense float arrays; sums are accumulated in float.
Status pool(const PoolArgs& args, const float* src, float* dst, const Stream& stream);

/// As adaptive_pool.h says, `planes` planes at args.src and args.dst.
Status adaptive_avg_pool(const AdaptivePoolArgs<float>& args, std::int64_t planes, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
