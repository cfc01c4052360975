// The parameters of a layer with 8 bits: each filter has a step of its own, max |w| / 127.
//
//   EightBitWeights weights = quantize_weights(*weight, bias, 1 / 255.0f);
//   weight[m][i] is about weights.weight[m][i] * weights.steps[m]
#pragma once

#include <mxinfer/tensor.h>

#include <vector>

#include "tensor/parameter.h"

namespace mxinfer::api {

struct EightBitWeights {
  Tensor weight;             ///< int8
  Tensor bias;               ///< int32, in steps of data_step * steps[m]; empty without a bias
  std::vector<float> steps;  ///< by filter
};

/// `bias` is null if there is none; `data_step` is that of the layer's data. Precondition: float32 and
/// finite.
EightBitWeights quantize_weights(const Parameter& weight, const Parameter* bias, float data_step);

}  // namespace mxinfer::api
