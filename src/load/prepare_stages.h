// The stages of an end-to-end model, from the graph of its file to the graphs that plans are made of.
#pragma once

#include "model/model_data.h"

namespace mxinfer::api {

/// Cuts the graph at its boundaries, where it has any, and says of inputs and outputs what only the stages
/// tell: that an input takes encoded pictures, and the outputs' shapes then. The signature must be there.
void find_stages(ModelData& data);

/// Passes read the dtypes of inputs from the graphs: here is what the signature says of them.
void state_dtypes(ModelData& data);

}  // namespace mxinfer::api
