// The stages of an end-to-end model, from the graph of its file to the graphs that plans are made of.
#pragma once

#include "model/model_data.h"

namespace mxinfer::api {

/// Cuts the graph at its boundaries, if it has any, and sets what only the stages show: that an input takes
/// encoded images, and the outputs' shapes then. The signature must be there.
void find_stages(ModelData& data);

/// Passes read the dtypes of inputs from the graphs: here is what the signature says of them.
void state_dtypes(ModelData& data);

}  // namespace mxinfer::api
