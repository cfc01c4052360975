// L2Normalization: x / sqrt(sum of x^2 + eps) over an instance, its channels or its positions.
#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "kernels/elementwise/binary.h"
#include "kernels/reduce/reduce.h"
#include "ops/common/float_dispatch.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/normalization/l2_lines.h"

namespace mxinfer::ops {
namespace {

using kernels::kReduceColumns;

std::vector<TensorType> infer_l2(const InferContext& ctx) {
  const std::size_t needed = ctx.attrs.choice("mode") == "instance" ? 2 : 3;
  if (ctx.shape(0).rank() < needed) {
    fail(ErrorCode::invalid_argument, "data ", to_string(ctx.shape(0)), ": expected ", needed,
         " dimensions at least for mode=", ctx.attrs.choice("mode"));
  }
  return infer_same_float(ctx);
}

/// Normalises lines [begin, end) of T: sums of squares of lines side by side, then each row divided by their
/// roots.
template <typename T>
void normalise(const kernels::ReduceFold& fold, const kernels::BinaryKernel& divide, const L2Lines& lines,
               double eps, const T* src, T* dst, std::int64_t begin, std::int64_t end) {
  while (begin < end) {
    const std::int64_t column = begin % lines.inner;
    const std::int64_t n = std::min({lines.inner - column, end - begin, kReduceColumns});
    const std::int64_t offset = begin / lines.inner * lines.axis * lines.inner + column;
    kernels::ReduceAccumulators sums;
    fold.start(sums.data(), n);
    if (lines.inner == 1) {
      fold.row(src + offset, lines.axis, sums.data());
    } else {
      fold.columns(src + offset, lines.axis, lines.inner, n, sums.data());
    }
    T norms[kReduceColumns];
    for (std::int64_t j = 0; j < n; ++j) {
      norms[j] = kernels::convert<T>(std::sqrt(sums[static_cast<std::size_t>(j)] + eps));
    }
    if (lines.inner == 1) {
      divide.rows_scalar(src + offset, norms, dst + offset, lines.axis);
    } else {
      for (std::int64_t i = 0; i < lines.axis; ++i) {
        divide.rows(src + offset + i * lines.inner, norms, dst + offset + i * lines.inner, n);
      }
    }
    begin += lines.inner == 1 ? 1 : n;
  }
}

template <typename T>
Step lower_as(LowerContext& ctx) {
  const TensorType& in = ctx.input(0);
  const auto fold = kernels::select_reduce("squares", element_type(in.dtype), ctx.target());
  const auto divide = kernels::select_binary("div", element_type(in.dtype), ctx.target());
  const L2Lines lines = l2_lines(ctx.attrs().choice("mode"), in.shape);
  const double eps = ctx.attrs().number32("eps");
  ctx.may_overwrite(0, 0);
  const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / std::max<std::int64_t>(1, lines.axis));
  Step step;
  step.kernel = kernel_name("l2_normalize", ctx.attrs().choice("mode"), fold.variant, in.dtype, fold.target);
  step.reason = concat(lines.count, " lines of ", lines.axis);
  step.flops = 3.0 * static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& run) {
    parallel_for(lines.count, grain, [&](std::int64_t begin, std::int64_t end) {
      normalise(fold, divide, lines, eps, run.input<T>(0), run.output<T>(0), begin, end);
    });
  };
  return step;
}

Step lower_l2(LowerContext& ctx) {
  return for_float(ctx.input(0).dtype, [&](auto zero) { return lower_as<decltype(zero)>(ctx); });
}

}  // namespace

L2Lines l2_lines(const std::string& mode, const Shape& shape) {
  L2Lines lines;
  if (mode == "channel") {
    lines.axis = shape[1];
    lines.inner = shape.elements(2, shape.rank());
  } else {
    lines.axis = shape.elements(mode == "spatial" ? 2 : 1, shape.rank());
  }
  lines.count = lines.axis == 0 ? 0 : shape.elements() / lines.axis;
  return lines;
}

std::vector<OpDef> l2_normalization() {
  return {{
      .name = "L2Normalization",
      .summary = "x / sqrt(sum x^2 + eps), with the sum over an instance, over its channels at each "
                 "position, or over the positions of each channel.",
      .attrs = {graph::number_attr("eps", 1e-10),
                graph::choice_attr("mode", {"channel", "instance", "spatial"}, "instance")},
      .infer = infer_l2,
      .lower = lower_l2,
  }};
}

}  // namespace mxinfer::ops
