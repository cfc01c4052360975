// Operators that only move elements: the CPU's lowering asks the stream to copy where it lowers for a device
// (ops/common/copy_step.h), or makes its output an alias.
#include "ops/cuda/cuda_op.h"

namespace mxinfer::ops {
namespace {

Implementations by_copies(const OpProblem& node, const device::CudaDevice&) {
  return only("copy", node.node().op->lower);
}

}  // namespace

std::vector<CudaOp> cuda_copy_ops() {
  std::vector<CudaOp> ops;
  for (const char* name :
       {"Reshape",      "Flatten",   "expand_dims",    "squeeze",        "reshape_like",
        "transpose",    "SwapAxis",  "reverse",        "Concat",         "_rnn_param_concat",
        "stack",        "slice",     "slice_axis",     "slice_like",     "Crop",
        "SliceChannel", "_split_v2", "broadcast_to",   "broadcast_axis", "broadcast_like",
        "tile",         "repeat",    "depth_to_space", "space_to_depth"})
    ops.push_back({name, by_copies});
  return ops;
}

}  // namespace mxinfer::ops
