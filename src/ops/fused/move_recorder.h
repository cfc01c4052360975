// MoveRecorder: what an operator that only moves elements moves, as it is lowered.
//
//   const std::vector<CopyJob> jobs = recorded_moves(node, input_types, output_types);
#pragma once

#include "ops/common/copy_step.h"

namespace mxinfer::ops {

/// Empty if lower() does anything else.
std::vector<CopyJob> recorded_moves(const graph::Node& node, const std::vector<TensorType>& inputs,
                                    const std::vector<TensorType>& outputs);

}  // namespace mxinfer::ops
