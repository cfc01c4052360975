// The parameters of a product of 8-bit data, as mxinfer's own operators take them: int8 weights, a scale and
// a bias for each filter, from those that MXNet's operators take.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ops/quantized/int8_product.h"
#include "tensor/parameter.h"

namespace mxinfer::ops {

/// A node's inputs that are parameters, by their index; null for those that are computed.
using ParameterInputs = std::vector<std::shared_ptr<const Parameter>>;

struct Int8ParameterSet {
  std::shared_ptr<const Parameter> weight, scale;
  std::shared_ptr<const Parameter> bias;  ///< null without one
};

/// Nothing if one of the inputs that they follow from is computed, or its type is not what the product takes.
/// Of `product`, filters and groups of the problem count. The parameters are made when they are asked for; if
/// the weight is in memory, at once, so that memory does not hold it any longer.
std::optional<Int8ParameterSet> int8_parameters(Int8Product product, const ParameterInputs& inputs);

/// The range at inputs i and i + 1, if both are parameters of one float32.
std::optional<ValueRange> parameter_range(const ParameterInputs& inputs, std::size_t i);

}  // namespace mxinfer::ops
