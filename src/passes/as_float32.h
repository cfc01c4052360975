// float16 and bfloat16 parameters as float32.
#pragma once

#include <memory>

#include "tensor/parameter.h"

namespace mxinfer::passes {

/// A float16 or bfloat16 parameter as float32, made when it is asked for, as its source may be.
std::shared_ptr<const Parameter> as_float32(const std::shared_ptr<const Parameter>& source);

}  // namespace mxinfer::passes
