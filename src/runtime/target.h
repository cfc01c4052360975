// The instruction set that a predictor uses: its option, the environment variable MXINFER_TARGET, or the best
// there is.
#pragma once

#include <mxinfer/options.h>

#include "kernels/common/target.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument) where the environment names none, Error(unsupported) where this CPU lacks
/// it.
kernels::Target choose_target(Target option);

}  // namespace mxinfer::api
