// Loops that measure the throughput of a core for the cost model (kernels/common/work.h): multiplications
// with additions, and bytes read.
//
//   const SpeedKernel& kernel = speed_kernel(target);
//   sink = kernel.multiply(rounds);           // rounds * kernel.round_flops operations, as kernels do them
//   flush_from_caches(data, count);
//   sink = kernel.read(data, count);          // from memory; a second time from the caches
//
// Use what they return, or the compiler drops the loops.
#pragma once

#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

struct SpeedKernel {
  double round_flops;
  float (*multiply)(std::int64_t rounds);
  /// count: a multiple of 256.
  float (*read)(const float* from, std::int64_t count);
};

/// A target other than ref.
const SpeedKernel& speed_kernel(Target target);

/// Flushes the floats from the caches, if the CPU has an instruction for that, so that reads come from
/// memory.
void flush_from_caches(const float* from, std::int64_t count);

}  // namespace mxinfer::kernels
