// Completes the shapes of a model's inputs when a caller gives only some or none: for warming up and
// explaining.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>

#include <vector>

#include "model/model_data.h"

namespace mxinfer::api {

/// Predictor::input_shapes. `usual` holds inputs whose size only the caller's class knows.
std::vector<NamedShape> input_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                     const std::vector<NamedShape>& usual = {});

/// Views of these shapes without data, for the inputs that plans are made for: the model's, or those behind
/// the items' transforms.
std::vector<TensorView> views_of_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                        const std::vector<NamedShape>& usual = {});

}  // namespace mxinfer::api
