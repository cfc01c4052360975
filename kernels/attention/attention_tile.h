// AttentionKernel::tile by the elements that are multiplied, for its launcher.
#pragma once

#include "kernels/attention/attention_cuda.h"

namespace mxinfer::kernels::cuda {

/// Blocks for the queries of a head, and whether 16 bytes may be read, or written, at once.
struct AttentionGrid {
  std::int64_t tiles = 1;
  bool vectors = false, vectors_out = false;
};

Status launch_attention_f16(const AttentionArgs& args, int width, const AttentionGrid& grid,
                            const Stream& stream);
Status launch_attention_bf16(const AttentionArgs& args, int width, const AttentionGrid& grid,
                             const Stream& stream);
Status launch_attention_tf32(const AttentionArgs& args, int width, const AttentionGrid& grid,
                             const Stream& stream);

}  // namespace mxinfer::kernels::cuda
