// Outputs of sequences as handles.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer_c/sequence_predictor.h>

#include <functional>
#include <optional>
#include <vector>

#include "c_api/sequence/handles.h"
#include "c_api/views.h"

namespace mxinfer::c_api {

/// Outputs of one sequence; `model` names them, where they are all of its outputs.
mxinfer_tensors* new_outputs(std::vector<Tensor> outputs, std::optional<Model> model = std::nullopt);

/// The one array without a name that is a sequence; nothing if there are several, by name.
std::optional<TensorView> lone_sequence(const mxinfer_tensor* inputs, std::size_t count);

}  // namespace mxinfer::c_api
