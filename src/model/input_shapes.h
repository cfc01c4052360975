// The shapes that a model's inputs have if a caller gives some of them, or none: to warm up, to explain.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>

#include <vector>

#include "model/model_data.h"

namespace mxinfer::api {

/// Predictor::input_shapes. `usual` are of inputs whose size only the caller's class knows.
std::vector<NamedShape> input_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                     const std::vector<NamedShape>& usual = {});

/// Views without data of these shapes, of the inputs that plans are made for: the model's, or of what is
/// behind the items' transforms.
std::vector<TensorView> views_of_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                        const std::vector<NamedShape>& usual = {});

}  // namespace mxinfer::api
