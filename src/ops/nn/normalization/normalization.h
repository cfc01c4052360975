// What LayerNorm, InstanceNorm, GroupNorm, LRN and L2Normalization normalise, and the slopes of prelu.
#pragma once

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
  Shape statistics{};  ///< shape of the mean and std outputs
  std::int64_t rows() const { return outer * inner; }
  std::int64_t affine() const { return element_affine ? length : groups; }
};

/// Of LayerNorm, InstanceNorm or GroupNorm.
RowLayout row_layout(const OpProblem& node);

/// The arguments of a kernel for it, without addresses.
template <typename T>
kernels::RowNormArgs<T> row_norm_args(const Attrs& attrs, const RowLayout& layout) {
  return {.length = layout.length,
          .inner = layout.inner,
          .eps = attrs.number("eps"),
          .element_affine = layout.element_affine,
          .groups = layout.groups};
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

/// Lines of `axis` elements, `inner` apart and side by side.
struct L2Lines {
  std::int64_t count = 0;
  std::int64_t axis = 0;
  std::int64_t inner = 1;
};

/// mode: channel, instance or spatial.
L2Lines l2_lines(const std::string& mode, const Shape& shape);

/// gamma as it lies along the data. As MXNet has it, its sizes are matched from the last one: with those of
/// data's channels (axis 1), then with its samples (axis 0), where a size of data that does not fit is passed
/// over. So there are one slope, one a channel, one a sample, or one for each of both. A row of a slope a
/// channel may have further sizes of 1, which MXNet does not take.
Shape prelu_gamma_shape(const Shape& data, const Shape& gamma);

}  // namespace mxinfer::ops
