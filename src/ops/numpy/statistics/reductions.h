// NumPy's reductions, for backends.
#pragma once

#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {

/// Of an operator that numpy_reduction_names() lists, whose input and output have one dtype.
Reduction numpy_reduction_of(const OpProblem& node);
/// Those that compute numbers, not any and all.
std::vector<std::string> numpy_reduction_names();

/// Of _npi_var and _npi_std.
kernels::ReduceShape variance_shape(const OpProblem& node);

/// Of _npi_argmax and _npi_argmin.
ArgLines numpy_arg_lines(const OpProblem& node);

}  // namespace mxinfer::ops
