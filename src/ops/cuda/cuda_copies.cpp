// Operators that only move elements: the CPU's lowering asks the stream to copy where it lowers for a device
// (ops/common/copy_step.h), or makes its output an alias.
#include "ops/cuda/cuda_op.h"

namespace mxinfer::ops {
namespace {

Implementations by_copies(const OpProblem& node, const device::CudaDevice&) {
  return only("copy", node.node().op->lower);
}

Implementations diagonal(const OpProblem& node, const device::CudaDevice& device) {
  if (node.input(0).shape.rank() == 1) return rejected("copy", "a matrix is made of a row");
  return by_copies(node, device);
}

}  // namespace

std::vector<CudaOp> cuda_copy_ops() {
  std::vector<CudaOp> ops;
  for (const char* name : {"Reshape",
                           "Flatten",
                           "expand_dims",
                           "squeeze",
                           "reshape_like",
                           "transpose",
                           "SwapAxis",
                           "reverse",
                           "_rnn_param_concat",
                           "stack",
                           "slice",
                           "slice_axis",
                           "slice_like",
                           "Crop",
                           "SliceChannel",
                           "_split_v2",
                           "broadcast_to",
                           "broadcast_axis",
                           "broadcast_like",
                           "tile",
                           "repeat",
                           "depth_to_space",
                           "space_to_depth",
                           "_slice_assign",
                           "_slice_assign_scalar",
                           "_linalg_extractdiag",
                           "_linalg_makediag",
                           "_linalg_extracttrian",
                           "_linalg_maketrian",
                           "_image_crop",
                           "_image_flip_left_right",
                           "_image_flip_top_bottom",
                           "_mxinfer_list_to_batch"})
    ops.push_back({name, by_copies});
  ops.push_back({"Concat", by_copies, nullptr, strided_output_as_on_cpu});
  ops.push_back({"diag", diagonal});
  return ops;
}

}  // namespace mxinfer::ops
