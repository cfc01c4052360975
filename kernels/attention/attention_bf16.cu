#include "kernels/attention/attention_tile-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_attention_bf16(const AttentionArgs& args, int width, const AttentionGrid& grid,
                             const Stream& stream) {
  return launch_attention<StoredBFloat16>(args, width, grid, stream);
}

}  // namespace mxinfer::kernels::cuda
