// Widens outputs of 16-bit floats to float32, for reading scores or boxes.
#pragma once

#include <mxinfer/tensor.h>

#include <vector>

namespace mxinfer {

/// float16 and bfloat16 tensors become float32; others stay as they are.
void widen_halves(std::vector<Tensor>& tensors);

}  // namespace mxinfer
