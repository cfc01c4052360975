// What LayerNorm, InstanceNorm, GroupNorm and LRN normalise.
#pragma once

#include <mxinfer/shape.h>

#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
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

/// The arguments of a kernel for it, without addresses.
template <typename T>
kernels::RowNormArgs<T> row_norm_args(const Attrs& attrs, const RowLayout& layout) {
  kernels::RowNormArgs<T> args;
  args.length = layout.length;
  args.inner = layout.inner;
  args.eps = attrs.number("eps");
  args.element_affine = layout.element_affine;
  args.groups = layout.groups;
  return args;
}

/// With the addresses of a run; `statistics`: mean and std are outputs too.
template <typename T>
kernels::RowNormArgs<T> with_operands(kernels::RowNormArgs<T> args, const RunContext& run, bool statistics) {
  args.src = run.input<T>(0);
  args.gamma = run.input<T>(1);
  args.beta = run.input<T>(2);
  args.dst = run.output<T>(0);
  args.mean = statistics ? run.output<T>(1) : nullptr;
  args.std = statistics ? run.output<T>(2) : nullptr;
  return args;
}

/// Of LRN, without addresses.
kernels::LrnArgs lrn_args(const OpProblem& node);

}  // namespace mxinfer::ops
