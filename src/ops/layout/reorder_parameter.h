// A parameter in another order of dimensions.
#pragma once

#include <memory>

#include "tensor/parameter.h"

namespace mxinfer::ops {

/// A parameter that is stored as (M, spatial..., C), as (M, C, spatial...). It is made when it is asked for,
/// as its source may be. Precondition: a rank of at least 2.
std::shared_ptr<const Parameter> as_channels_first(const std::shared_ptr<const Parameter>& source);

}  // namespace mxinfer::ops
