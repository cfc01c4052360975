// A plain matrix product, to measure kernels by: what is far slower than it, on the same machine and in the
// same minute, wastes something.
#pragma once

#include "kernels/common/target.h"

namespace mxinfer::bench {

/// float32 GFLOP/s of one thread's product of 256 x 1024 by 1024 x 256, whose operands stay in a core's
/// cache: the best of a few, measured at every call.
double plain_gemm_gflops(kernels::Target target);

}  // namespace mxinfer::bench
