// The shapes of optional inputs, which default to zeros.
#pragma once

#include <vector>

#include "model/model_data.h"
#include "ops/unify.h"

namespace mxinfer::api {

/// Infers the unknown shapes of optional inputs from the other inputs. Throws Error(invalid_argument) with
/// the name of an input whose shape cannot be inferred.
void complete_optional(const ModelData& model, std::vector<ops::PartialShape>& shapes);

}  // namespace mxinfer::api
