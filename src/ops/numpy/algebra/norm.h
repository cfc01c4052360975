// _npi_norm, for backends.
#pragma once

#include <optional>

#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {

/// The reduction that the norm is; nothing if it is another than the root of the sum of squares.
std::optional<Reduction> euclidean_norm_of(const OpProblem& node);

}  // namespace mxinfer::ops
