// The lines in which argmax, argmin and argmax_channel search.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// Lines of `size` elements that lie `inner` apart.
struct ArgLines {
  std::int64_t count = 0, size = 1, inner = 1;
  bool largest = true;
};

ArgLines arg_lines(const OpProblem& node);

}  // namespace mxinfer::ops
