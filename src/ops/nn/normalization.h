// What LayerNorm, InstanceNorm, GroupNorm and LRN normalise.
#pragma once

#include <mxinfer/shape.h>

#include "kernels/normalize/lrn.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Which elements a row of statistics covers, and how gamma applies to it.
struct RowLayout {
  std::int64_t outer = 1;
  std::int64_t length = 1;
  std::int64_t inner = 1;
  bool element_affine = false;
  std::int64_t groups = 1;
  Shape statistics;  ///< shape of the mean and std outputs
  std::int64_t rows() const { return outer * inner; }
  std::int64_t affine() const { return element_affine ? length : groups; }
};

/// Of LayerNorm, InstanceNorm or GroupNorm.
RowLayout row_layout(const OpProblem& node);

/// Of LRN, without addresses.
kernels::LrnArgs lrn_args(const OpProblem& node);

}  // namespace mxinfer::ops
