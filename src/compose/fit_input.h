// Finds out what a model's input must be, so that its transforms lead to what the network takes.
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <vector>

#include "compose/build_transforms.h"

namespace mxinfer::api {

/// An input with its steps, once it is known what it is.
struct FittedInput {
  DataDesc desc;
  Chain chain;
};

/// `given` is what the caller says of the input, or nullptr: then it is an image, in colour or grey as the
/// network needs, or if no step is for images what the network takes. Throws Error with the step that
/// does not fit, or what comes out and what the network takes.
FittedInput fit_input(const DataDesc& network, const std::vector<Transform>& steps, const DataDesc* given);

}  // namespace mxinfer::api
