// The inputs of a convolution's positions as rows of a GEMM.
#pragma once

#include "kernels/common/bfloat16.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels::bf16 {

/// Positions [first, first + count) as rows [tap][channel] of row_stride(), padded with zeros to whole steps
/// of pairs. src is bfloat16.
void gather(const ConvArgs& args, std::int64_t group, std::int64_t first, std::int64_t count, BFloat16* rows);

}  // namespace mxinfer::kernels::bf16
