// The stages of an end-to-end model, from the graph of its file to the graphs that plans are made of.
#pragma once

#include "model/model_data.h"

namespace mxinfer::api {

/// Cuts the graph at its boundaries, if it has any, and sets what only the stages reveal: which inputs take
/// encoded images, and the resulting output shapes. Precondition: the signature is set.
void find_stages(ModelData& data);

/// Writes the signature's dtypes of inputs into the graphs, where passes read them.
void state_dtypes(ModelData& data);

}  // namespace mxinfer::api
