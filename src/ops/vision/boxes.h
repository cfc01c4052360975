// What nodes of box_iou, box_encode and box_decode compute, for the backends that do.
#pragma once

#include "kernels/boxes/boxes.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

// Without operands.
kernels::BoxIouArgs box_iou_args(const OpProblem& node);
kernels::BoxEncodeArgs box_encode_args(const OpProblem& node);
kernels::BoxDecodeArgs box_decode_args(const OpProblem& node);

// With the memory of a run.
kernels::BoxIouArgs with_operands(kernels::BoxIouArgs args, const RunContext& run);
kernels::BoxEncodeArgs with_operands(kernels::BoxEncodeArgs args, const RunContext& run);
kernels::BoxDecodeArgs with_operands(kernels::BoxDecodeArgs args, const RunContext& run);

}  // namespace mxinfer::ops
