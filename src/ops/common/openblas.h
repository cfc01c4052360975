// What a step that calls OpenBLAS asks for when it is made.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// Loads OpenBLAS. Error(out_of_memory) if the system has no room for what it works in, Error(unsupported) if
/// it is not there.
void require_openblas_memory(const LowerContext& context);

}  // namespace mxinfer::ops
