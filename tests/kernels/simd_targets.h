// The targets whose kernels are compared with those of `ref`.
#pragma once

#include <vector>

#include "support/run_op.h"

namespace mxinfer::test {

/// The targets that this machine has, but for `ref`.
inline std::vector<kernels::Target> simd_targets() {
  std::vector<kernels::Target> all = targets();
  all.erase(all.begin());  // ref
  return all;
}

}  // namespace mxinfer::test
