// The instruction set that a predictor uses: its option, the environment variable MXINFER_TARGET, or the best
// there is.
#pragma once

#include <string>

#include "kernels/common/target.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument) for a name that is none, Error(unsupported) where this CPU lacks it.
kernels::Target choose_target(const std::string& option);

}  // namespace mxinfer::api
