// The peak of the machine: multiply-adds on registers alone, on one thread.
#pragma once

#include "kernels/common/target.h"

namespace mxinfer::bench {

/// float32 GFLOP/s of a loop of independent multiply-adds; measured at the first call for a target, then
/// remembered.
double peak_gflops(kernels::Target target);

}  // namespace mxinfer::bench
