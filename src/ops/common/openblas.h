// What a step that calls OpenBLAS asks for when it is made.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// Error(out_of_memory) where the system has no room for what OpenBLAS works in.
void require_openblas_memory(const LowerContext& context);

}  // namespace mxinfer::ops
