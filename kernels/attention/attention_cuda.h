// The attention of attention.h on a GPU, in one kernel: scores stay in registers, and softmax is computed
// while keys come, a tile of them at a time ("online").
//
//   const AttentionPlan plan = plan_attention(args, precision, gpu);
//   attention(args, plan, stream);
//
// Sums are made in an order that sizes determine: results are the same in each run. Tiles of keys behind the
// greatest length of neighbouring queries are skipped.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/attention/attention.h"
#include "kernels/common/precision.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

enum class AttentionKernel : std::uint8_t {
  tile,  ///< by tensor instructions: a block for 64 queries of a head
  rows,  ///< a warp for each query, in float32; for any width
};

struct AttentionPlan {
  AttentionKernel kernel = AttentionKernel::rows;
  int width = 0;  ///< of a tile: what rows are padded to
};

/// What a plan depends on: the shared memory that a block may have, and compute capability.
struct AttentionGpu {
  std::size_t shared_bytes = 0;
  int major = 0;
};

/// `precision`: what float32 is rounded to before it is multiplied; tf32 for any but float32.
AttentionPlan plan_attention(const AttentionArgs& args, Precision precision, const AttentionGpu& gpu);

/// "attention_64_f16": tiles that wide; "attention_rows_f32".
std::string name_of(const AttentionPlan& plan, const AttentionArgs& args);

/// Preconditions: all sizes but keys at least 1, below 2^31; the mask's type has is_mask_type().
Status attention(const AttentionArgs& args, const AttentionPlan& plan, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
