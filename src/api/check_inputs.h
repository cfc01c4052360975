// Checks what a caller gives against the model's signature, and says what does not fit.
#pragma once

#include <mxinfer/predictor.h>

#include <map>
#include <string>
#include <vector>

#include "api/model_data.h"

namespace mxinfer::api {

/// Count and dtypes; and rank and every dimension that the caller's own descriptor fixes. (What the file
/// merely hints at, or what was guessed, is left to the network itself.)
void check_inputs(const ModelData& model, Span<const TensorView> inputs);

/// The caller's tensors have the types that the plan writes.
void check_outputs(const ModelData& model, const std::vector<ops::TensorType>& expected,
                   Span<const Tensor> outputs);

/// Inputs by name in the order of the signature; unknown and missing names are errors.
std::vector<TensorView> order_inputs(const ModelData& model, const std::map<std::string, TensorView>& inputs);

/// The shape of a flat array of samples: the descriptor's, with the batch that the count of elements gives.
Shape shape_of_flat_array(const ModelData& model, std::size_t index, std::size_t count, std::size_t elements);

/// Views without data of these shapes, the signature's (with a batch of 1) for inputs that are not named.
std::vector<TensorView> views_of_shapes(const ModelData& model, const std::vector<NamedShape>& shapes);

/// "model 'digits' with data float32 (1, 1, 8, 8)": the place in front of an error when a plan is made.
std::string describe_call(const ModelData& model, const std::vector<ops::TensorType>& types);

}  // namespace mxinfer::api
