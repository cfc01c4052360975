// Finds the model's input for which its transforms give the network's input.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <vector>

#include "compose/build_transforms.h"

namespace mxinfer::api {

/// An input with its steps and its final descriptor.
struct FittedInput {
  DataDesc desc;
  Chain chain;
};

/// `given` is the caller's descriptor or nullptr: then the input is an image, in colour or grey as the
/// network needs, or, if no step is for images, the network's own input. Throws Error with the step that does
/// not fit, or with the result and what the network takes.
FittedInput fit_input(const DataDesc& network, const std::vector<Transform>& steps, const DataDesc* given);

}  // namespace mxinfer::api
