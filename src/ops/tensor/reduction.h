// Which elements a reduction joins, and how.
#pragma once

#include <string>
#include <vector>

#include "kernels/reduce/reduce.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct Reduction {
  std::string function;  ///< of kernels/reduce/reduce.h
  kernels::ReduceShape shape;
};

/// Of an operator that reduction_names() lists.
Reduction reduction_of(const OpProblem& node);
std::vector<std::string> reduction_names();

}  // namespace mxinfer::ops
