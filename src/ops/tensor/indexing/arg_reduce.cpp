// argmax, argmin and argmax_channel: where along an axis the largest or smallest element is.
#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "kernels/reduce/reduce.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/indexing/arg_lines.h"

namespace mxinfer::ops {
namespace {

/// The axis, nothing if the elements count as one line.
std::optional<std::size_t> reduced_axis(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("axis")) return std::nullopt;
  return resolve_axis("axis", attrs.integer("axis"), shape.rank());
}

std::vector<TensorType> infer_along(const InferContext& ctx, std::optional<std::size_t> axis, bool keep) {
  const Shape& shape = ctx.shape(0);
  if (shape.elements() == 0) fail(ErrorCode::invalid_argument, "data ", to_string(shape), " has no elements");
  Shape out;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    const bool reduced = !axis || d == *axis;
    if (!reduced) {
      out.push_back(shape[d]);
    } else if (keep) {
      out.push_back(1);
    }
  }
  if (out.empty()) out.push_back(1);
  return {{ctx.dtype(0), out}};
}

Step lower_along(LowerContext& ctx) {
  const TensorType& in = ctx.input(0);
  const ArgLines lines = arg_lines(ctx);
  const auto function = kernels::select_arg_reduce(lines.largest, element_type(in.dtype));
  if (function == nullptr) {
    fail(ErrorCode::unsupported, "positions in ", to_string(in.dtype), " elements are not supported");
  }
  const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / lines.size);
  Step step;
  step.kernel =
      kernel_name("reduce", lines.largest ? "argmax" : "argmin", "ref", in.dtype, kernels::Target::ref);
  step.reason = concat(lines.count, " lines of ", lines.size);
  step.flops = static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& run) {
    parallel_for(lines.count, grain, [&](std::int64_t begin, std::int64_t end) {
      function(run.inputs[0], run.outputs[0], lines.size, lines.inner, begin, end);
    });
  };
  return step;
}

OpDef reduced_along(std::string name, std::string summary) {
  OpDef op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.attrs = {graph::integer_attr("axis").optional_none(), graph::flag_attr("keepdims", false)};
  op.infer = [](const InferContext& ctx) {
    return infer_along(ctx, reduced_axis(ctx.attrs, ctx.shape(0)), ctx.attrs.flag("keepdims"));
  };
  op.lower = lower_along;
  return op;
}

OpDef argmax_channel() {
  OpDef op;
  op.name = "argmax_channel";
  op.summary = "argmax along axis 1.";
  op.infer = [](const InferContext& ctx) {
    if (ctx.shape(0).rank() < 2) {
      fail(ErrorCode::invalid_argument, "data ", to_string(ctx.shape(0)),
           ": expected two dimensions at least");
    }
    return infer_along(ctx, 1, false);
  };
  op.lower = lower_along;
  return op;
}

}  // namespace

ArgLines arg_lines(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  const std::string& name = node.node().op->name;
  const auto axis =
      name == "argmax_channel" ? std::optional<std::size_t>(1) : reduced_axis(node.attrs(), shape);
  ArgLines lines;
  lines.size = axis ? shape[*axis] : shape.elements();
  lines.inner = axis ? shape.elements(*axis + 1, shape.rank()) : 1;
  lines.count = shape.elements() / lines.size;
  lines.largest = name != "argmin";
  return lines;
}

std::vector<OpDef> arg_reduce_ops() {
  return {
      reduced_along("argmax",
                    "The position of the largest element along an axis (by default, of all elements), in the "
                    "input's dtype; the first if several are equal."),
      reduced_along("argmin",
                    "The position of the smallest element along an axis (by default, of all elements), in "
                    "the input's dtype; the first if several are equal."),
      argmax_channel(),
  };
}

}  // namespace mxinfer::ops
