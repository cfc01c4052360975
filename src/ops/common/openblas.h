// What a step that calls OpenBLAS asks for when it is made.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// Loads OpenBLAS. Error(out_of_memory) if the system has no address space for its buffers,
/// Error(unsupported) if it is not installed.
void require_openblas(const LowerContext& context);

}  // namespace mxinfer::ops
