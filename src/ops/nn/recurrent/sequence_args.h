// What the operators on sequences ask of their kernels.
#pragma once

#include "kernels/sequence/sequence.h"
#include "kernels/take/take.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Whether a node has lengths, as input 1.
bool has_lengths(const Attrs& attrs);
/// Of SequenceMask (with its value), SequenceLast or SequenceReverse.
kernels::SequenceArgs sequence_args(const OpProblem& node);
/// The step of each sequence that is its last one.
kernels::PickArgs last_step_args(const kernels::SequenceArgs& args);

}  // namespace mxinfer::ops
