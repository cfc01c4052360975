// topk, sort, argsort: elements in order along an axis. argmax, argmin and argmax_channel: where along an
// axis the largest or smallest element is.
#include <algorithm>

#include "kernels/reduce/reduce.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

DType index_dtype(const Attrs& attrs) {
  return dtype_of(attrs, "dtype");
}

InferFn infer_sorted(SortedFn sorted_of) {
  return [=](const InferContext& context) {
    if (kernels::select_sort(element_type(context.dtype(0))) == nullptr) {
      fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(0)),
           " was given; expected numbers");
    }
    const Sorted sorted = sorted_of(context.attrs, context.shape(0));
    std::vector<TensorType> outputs;
    if (sorted.values) outputs.push_back({context.dtype(0), sorted.kept});
    if (sorted.indices) outputs.push_back({index_dtype(context.attrs), sorted.kept});
    if (sorted.mask) outputs.push_back(context.inputs[0]);
    return outputs;
  };
}

LowerFn lower_sorted(SortedFn sorted_of) {
  return [=](LowerContext& context) {
    const TensorType& input = context.input(0);
    const Sorted sorted = sorted_of(context.attrs(), input.shape);
    const kernels::SortArgs args = sorted.args;
    const kernels::SortFn run = kernels::select_sort(element_type(input.dtype));
    const std::int64_t count = args.length == 0 ? 0 : sorted.outer * args.inner;
    const std::int64_t grain = piece_grain(2048, args.length);
    Step step{.kernel = ref_kernel("sort", input.dtype), .reason = "one row at a time"};
    step.thread_scratch_bytes = kernels::sort_scratch(args.length, size_of(input.dtype));
    step.run = [=](const RunContext& at_run) {
      const kernels::SortArgs now = with_operands(sorted, at_run);
      parallel_for(count, grain, [&](auto begin, auto end) { run(now, at_run.my_scratch(), begin, end); });
    };
    return step;
  };
}

AttrSpec index_dtype_attr() {
  return choice_attr("dtype", {"float16", "float32", "float64", "int32", "int64", "uint8"}, "float32");
}

// Without what is made of the order.
Sorted sorted_rows(const Attrs& attrs, const Shape& shape, std::int64_t k) {
  Sorted sorted;
  kernels::SortArgs& args = sorted.args;
  if (attrs.has("axis")) {
    const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
    sorted.outer = shape.elements(0, axis);
    args.length = shape[axis];
    args.inner = shape.elements(axis + 1, shape.rank());
    args.k = k < 1 ? args.length : k;
    sorted.kept = shape;
    sorted.kept[axis] = args.k;
  } else {  // the flattened input
    args.length = shape.elements();
    args.k = k < 1 ? args.length : k;
    sorted.kept = Shape{args.k};
  }
  if (args.k > args.length) {
    fail(ErrorCode::invalid_argument, "k=", k, " is more than the ", args.length, " elements along the axis");
  }
  args.ascending = attrs.flag("is_ascend");
  return sorted;
}

void ask_for_indices(const Attrs& attrs, Sorted& sorted) {
  sorted.indices = true;
  sorted.args.index_type = element_type(index_dtype(attrs));
}

PortNames topk_outputs(const Attrs& attrs) {
  return attrs.choice("ret_typ") == "both" ? PortNames{{"output0", "output1"}} : PortNames{{"output"}};
}

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
  Step step{.kernel = kernel_name("reduce", lines.largest ? "argmax" : "argmin", "ref", in.dtype,
                                  kernels::Target::ref),
            .reason = concat(lines.count, " lines of ", lines.size)};
  step.flops = static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& run) {
    parallel_for(lines.count, grain, [&](std::int64_t begin, std::int64_t end) {
      function(run.inputs[0], run.outputs[0], lines.size, lines.inner, begin, end);
    });
  };
  return step;
}

OpDef reduced_along(std::string name, std::string summary) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("axis").optional_none(), flag_attr("keepdims", false)};
  op.infer = [](const InferContext& ctx) {
    return infer_along(ctx, reduced_axis(ctx.attrs, ctx.shape(0)), ctx.attrs.flag("keepdims"));
  };
  op.lower = lower_along;
  return op;
}

std::vector<TensorType> infer_argmax_channel(const InferContext& ctx) {
  if (ctx.shape(0).rank() < 2) {
    fail(ErrorCode::invalid_argument, "data ", to_string(ctx.shape(0)), ": expected two dimensions at least");
  }
  return infer_along(ctx, 1, false);
}

OpDef argmax_channel() {
  return {.name = "argmax_channel",
          .summary = "argmax along axis 1.",
          .infer = infer_argmax_channel,
          .lower = lower_along};
}

}  // namespace

Sorted topk_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, attrs.integer("k"));
  const std::string& type = attrs.choice("ret_typ");
  sorted.values = type == "value" || type == "both";
  sorted.mask = type == "mask";
  if (type == "indices" || type == "both") ask_for_indices(attrs, sorted);
  return sorted;
}

Sorted sort_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, 0);
  sorted.values = true;
  return sorted;
}

Sorted argsort_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, 0);
  ask_for_indices(attrs, sorted);
  return sorted;
}

kernels::SortArgs with_operands(const Sorted& sorted, const RunContext& run) {
  kernels::SortArgs args = sorted.args;
  std::size_t output = 0;
  args.src = run.inputs[0];
  if (sorted.values) args.values = run.outputs[output++];
  if (sorted.indices) args.indices = run.outputs[output++];
  if (sorted.mask) args.mask = run.outputs[output];
  return args;
}

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

std::vector<OpDef> sort_ops() {
  return {
      {.name = "topk",
       .aliases = {"_npx_topk"},
       .summary = "The k largest (or smallest) elements along axis, in order: their values, indices, both, "
                  "or a mask. NaN comes last.",
       .attrs = {nullable_axis_attr(), integer_attr("k", 1),
                 choice_attr("ret_typ", {"both", "indices", "mask", "value"}, "indices"),
                 flag_attr("is_ascend", false), index_dtype_attr()},
       .outputs = topk_outputs,
       .infer = infer_sorted(topk_of),
       .lower = lower_sorted(topk_of)},
      {.name = "sort",
       .aliases = {"_npi_sort"},
       .summary = "The elements along axis in order, NaN last.",
       .attrs = {nullable_axis_attr(), flag_attr("is_ascend", true)},
       .infer = infer_sorted(sort_of),
       .lower = lower_sorted(sort_of)},
      {.name = "argsort",
       .aliases = {"_npi_argsort"},
       .summary = "The indices that put the elements along axis in order, NaN last.",
       .attrs = {nullable_axis_attr(), flag_attr("is_ascend", true), index_dtype_attr()},
       .infer = infer_sorted(argsort_of),
       .lower = lower_sorted(argsort_of)},
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
