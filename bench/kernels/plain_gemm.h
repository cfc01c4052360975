// A plain GEMM to compare kernels with, on the same machine and in the same minute.
#pragma once

#include "kernels/common/target.h"

namespace mxinfer::bench {

/// float32 GFLOP/s of one thread for 256 x 1024 by 1024 x 256, whose operands stay in cache: the best of a
/// few runs, measured at every call.
double plain_gemm_gflops(kernels::Target target);

}  // namespace mxinfer::bench
