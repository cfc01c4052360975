// Running sums on a GPU.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/scan/cumulative_sum.h"

namespace mxinfer::kernels::cuda {

/// As cumulative_sum.h says, with the same order of additions; `lines` lines at args.src and args.dst.
/// float32, int32 and int64.
Status cumulative_sum(const CumulativeSumArgs& args, ElementType type, std::int64_t lines,
                      const Stream& stream);

}  // namespace mxinfer::kernels::cuda
