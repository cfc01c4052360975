// The precision of a predictor: its option.
#pragma once

#include <mxinfer/options.h>

#include "kernels/common/precision.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument) for a number that is none.
kernels::Precision choose_precision(Precision option);

}  // namespace mxinfer::api
