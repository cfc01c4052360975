// The shapes of inputs that may be left out, and are zeros then.
#pragma once

#include <vector>

#include "model/model_data.h"
#include "ops/unify.h"

namespace mxinfer::api {

/// Fills in the shapes of the optional inputs that are not known, from those of the others. Throws
/// Error(invalid_argument) naming the input if one does not follow.
void complete_optional(const ModelData& model, std::vector<ops::PartialShape>& shapes);

}  // namespace mxinfer::api
