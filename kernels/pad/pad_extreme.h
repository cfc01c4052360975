// Padding with the largest or smallest element of the lines that are padded.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/pad/pad.h"

namespace mxinfer::kernels {

/// Pads `args`, whose mode and value do not matter, dimension by dimension: each line along one is extended
/// by the extreme of its elements. Precondition: no padded dimension of the input is empty, no padding is
/// negative.
using PadExtremeFn = void (*)(const PadArgs& args, const void* src, void* dst);

/// Null for booleans.
PadExtremeFn select_pad_extreme(bool largest, ElementType type);

}  // namespace mxinfer::kernels
