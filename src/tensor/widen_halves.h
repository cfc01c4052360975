// Outputs of halves as float32, for whoever reads scores or boxes.
#pragma once

#include <mxinfer/tensor.h>

#include <vector>

namespace mxinfer {

/// float16 and bfloat16 tensors become float32; others stay as they are.
void widen_halves(std::vector<Tensor>& tensors);

}  // namespace mxinfer
