// Reductions over axes: sum, mean, prod, nansum, nanprod, max, min and norm; moments: mean and variance.
// NumPy's are in ops/numpy/statistics/reductions.cpp.
#include <algorithm>
#include <initializer_list>
#include <set>

#include "kernels/reduce/moments.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

/// For each dimension, whether it is reduced. No axis, or an empty list of them, stands for all.
std::vector<bool> reduced_axes(const Attrs& attrs, const Shape& shape) {
  std::vector<bool> reduced(shape.rank(), false);
  const auto axes = attrs.has("axis") ? attrs.tuple("axis") : std::vector<std::int64_t>{};
  if (axes.empty()) return std::vector<bool>(shape.rank(), true);
  for (const std::size_t axis : resolve_axes("axis", axes, shape.rank())) reduced[axis] = true;
  return reduced;
}

/// As reduced_axes, after the attribute exclude.
std::vector<bool> reduced_axes_with_exclude(const Attrs& attrs, const Shape& shape) {
  std::vector<bool> reduced = reduced_axes(attrs, shape);
  const bool all = std::find(reduced.begin(), reduced.end(), false) == reduced.end();
  const bool listed = attrs.has("axis") && !attrs.optional_tuple("axis").empty();
  if (attrs.flag("exclude") && (listed || !all)) reduced.flip();
  return reduced;
}

Shape reduced_shape(const Shape& shape, const std::vector<bool>& reduced, bool keep) {
  Shape out = without_axes(shape, reduced, keep);
  if (out.empty()) out.push_back(1);
  return out;
}

void append(kernels::ReduceDims& dims, std::int64_t size, std::int64_t stride) {
  dims.sizes[dims.rank] = size;
  dims.strides[dims.rank++] = stride;
}

Step lower_reduce(LowerContext& ctx) {
  const TensorType& in = ctx.input(0);
  const auto [function, shape] = reduction_of(ctx);
  const DType result = ctx.output(0).dtype;
  const auto fold =
      result == in.dtype
          ? kernels::select_reduce(function, element_type(in.dtype), ctx.target())
          : kernels::select_norm(function, element_type(in.dtype), element_type(result), ctx.target());
  if (fold.variant == nullptr) {
    fail(ErrorCode::unsupported, function, " of ", to_string(in.dtype), " elements is not supported");
  }
  const std::int64_t outputs = ctx.output(0).shape.elements();
  const std::int64_t count = shape.reduced.elements();
  const std::int64_t grain = piece_grain(kElementGrain, count);
  Step step{.kernel = kernel_name("reduce", function, fold.variant, in.dtype, fold.target)};
  step.reason = concat(outputs, " results of ", count, " elements each");
  step.flops = static_cast<double>(in.shape.elements());
  step.run = [=, shape = shape](const RunContext& run) {
    parallel_for(outputs, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::reduce(fold, shape, run.inputs[0], run.outputs[0], begin, end);
    });
  };
  return step;
}

struct ReduceEntry {
  const char* name;
  const char* function;
  std::initializer_list<const char*> aliases;
  const char* formula;
};

const ReduceEntry kReduceEntries[] = {
    {"sum", "sum", {"_sparse_sum", "sum_axis"}, "The sum"},
    {"mean", "mean", {"_sparse_mean"}, "The mean, 0 for integers if there is nothing to average,"},
    {"prod", "prod", {}, "The product"},
    {"nansum", "nansum", {}, "The sum, NaN counting as 0,"},
    {"nanprod", "nanprod", {}, "The product, NaN counting as 1,"},
    {"max", "max", {"max_axis"}, "The largest element"},
    {"min", "min", {"min_axis"}, "The smallest element"},
    {"_square_sum", "squares", {}, "The sum of squares"},
};

// Whether the dimensions that are not reduced come in the model's order.
bool is_in_order(const LayoutRewriter& rewriter, const std::set<std::int64_t>& reduced, std::int64_t rank) {
  std::int64_t last = -1;
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t at = rewriter.moved(d, rank);
    if (reduced.count(at) != 0) continue;
    if (at < last) return false;
    last = at;
  }
  return true;
}

// Sums over dimensions. Without keepdims the rest must come out in the model's order.
bool reduce_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  if (!node.attrs.has("axis") || node.attrs.flag("exclude")) return false;
  std::set<std::int64_t> reduced;
  for (std::int64_t axis : node.attrs.tuple("axis")) {
    const auto moved = moved_axis(rewriter, axis, rank);
    if (!moved) return false;
    reduced.insert(*moved);
  }
  const bool keeps = node.attrs.flag("keepdims");
  if (reduced.empty() || (!keeps && !is_in_order(rewriter, reduced, rank))) return false;
  node.attrs.set("axis", graph::IntTuple(reduced.begin(), reduced.end()));
  if (keeps) rewriter.mark_outputs_moved(id, rank);
  return true;
}

OpDef make_reduce(const ReduceEntry& entry) {
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary =
      std::string(entry.formula) + " over the listed axes (all by default), or with exclude over the others.";
  op.attrs = {tuple_attr("axis", "None"), flag_attr("keepdims", false), flag_attr("exclude", false)};
  op.traits.channels_last = reduce_layout;
  op.infer = [](const InferContext& ctx) {
    const auto reduced = reduced_axes_with_exclude(ctx.attrs, ctx.shape(0));
    return std::vector<TensorType>{
        {ctx.dtype(0), reduced_shape(ctx.shape(0), reduced, ctx.attrs.flag("keepdims"))}};
  };
  op.lower = lower_reduce;
  return op;
}

OpDef norm() {
  OpDef op{.name = "norm", .aliases = {"_sparse_norm"}};
  op.summary =
      "The square root of the sum of squares over the listed axes (all by default), or with ord=1 the sum of "
      "|x|; in the input's dtype, or in out_dtype.";
  op.attrs = {
      integer_attr("ord", 2), tuple_attr("axis", "None"),
      choice_attr("out_dtype", {"float16", "float32", "float64", "int32", "int64", "int8"}).optional_none(),
      flag_attr("keepdims", false)};
  op.infer = [](const InferContext& ctx) {
    const std::int64_t order = ctx.attrs.integer("ord");
    if (order != 1 && order != 2) {
      fail(ErrorCode::unsupported, "attribute ord=", order, ": expected 1 or 2");
    }
    const DType dtype = ctx.attrs.has("out_dtype") ? ctx.attrs.dtype("out_dtype") : ctx.dtype(0);
    const auto reduced = reduced_axes(ctx.attrs, ctx.shape(0));
    return std::vector<TensorType>{{dtype, reduced_shape(ctx.shape(0), reduced, ctx.attrs.flag("keepdims"))}};
  };
  op.lower = lower_reduce;
  return op;
}

std::vector<bool> moment_axes(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("axes") || attrs.optional_tuple("axes").empty()) {
    fail(ErrorCode::malformed, "attribute axes lists nothing: for moments of all elements, list every axis");
  }
  std::vector<bool> reduced(shape.rank(), false);
  for (const std::int64_t axis : attrs.tuple("axes")) {
    const std::size_t index = resolve_axis("axes", axis, shape.rank());
    if (reduced[index]) fail(ErrorCode::invalid_argument, "attribute axes holds ", axis, " twice");
    reduced[index] = true;
  }
  return reduced;
}

std::vector<TensorType> infer_moments(const InferContext& context) {
  const Shape& shape = context.shape(0);
  const std::vector<bool> reduced = moment_axes(context.attrs, shape);
  if (kernels::moments_ref(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "data is ", to_string(context.dtype(0)), ": expected numbers");
  }
  Shape out;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (reduced[d] && shape[d] == 0) {
      fail(ErrorCode::invalid_argument, "data has shape ", to_string(shape), ": axis ", d,
           " has no elements");
    }
    if (!reduced[d]) {
      out.push_back(shape[d]);
    } else if (context.attrs.flag("keepdims")) {
      out.push_back(1);
    }
  }
  if (out.empty()) out.push_back(1);
  return {{context.dtype(0), out}, {context.dtype(0), out}};
}

Step lower_moments(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const auto run = kernels::moments_ref(element_type(context.input(0).dtype));
  const kernels::ReduceShape shape = moment_shape(context);
  const std::int64_t results = context.output(0).shape.elements();
  const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / shape.reduced.elements());
  Step step{
      .kernel = kernel_name("moments", "mean_variance", "ref", context.input(0).dtype, kernels::Target::ref),
      .reason = "two passes"};
  step.flops = 4.0 * static_cast<double>(in.elements());
  step.run = [=](const RunContext& context_now) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      run(shape, context_now.inputs[0], context_now.outputs[0], context_now.outputs[1], begin, end);
    });
  };
  return step;
}

}  // namespace

kernels::ReduceShape reduce_shape(const Shape& shape, const std::vector<bool>& reduced) {
  kernels::ReduceShape result;
  for (std::size_t d = 0; d < shape.rank();) {
    const std::size_t first = d;
    do ++d;
    while (d < shape.rank() && (reduced[d] == reduced[first] || shape[d] == 1));
    append(reduced[first] ? result.reduced : result.kept, shape.elements(first, d),
           shape.elements(d, shape.rank()));
  }
  if (result.kept.rank == 0) append(result.kept, 1, 0);
  if (result.reduced.rank == 0) append(result.reduced, 1, 0);
  return result;
}

Reduction reduction_of(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  const Shape& shape = node.input(0).shape;
  const std::string& name = node.node().op->name;
  for (const ReduceEntry& entry : kReduceEntries) {
    if (name == entry.name)
      return {entry.function, reduce_shape(shape, reduced_axes_with_exclude(attrs, shape))};
  }
  return {attrs.integer("ord") == 1 ? "norm1" : "norm2", reduce_shape(shape, reduced_axes(attrs, shape))};
}

std::vector<std::string> reduction_names() {
  std::vector<std::string> names{"norm"};
  for (const ReduceEntry& entry : kReduceEntries) names.emplace_back(entry.name);
  return names;
}

std::vector<OpDef> reduce_ops() {
  std::vector<OpDef> ops;
  for (const ReduceEntry& entry : kReduceEntries) ops.push_back(make_reduce(entry));
  ops.push_back(norm());
  return ops;
}

kernels::ReduceShape moment_shape(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  const std::vector<bool> reduced = moment_axes(node.attrs(), shape);
  kernels::ReduceShape result;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    kernels::ReduceDims& dims = reduced[d] ? result.reduced : result.kept;
    dims.sizes[dims.rank] = shape[d];
    dims.strides[dims.rank++] = shape.elements(d + 1, shape.rank());
  }
  if (result.kept.rank == 0) result.kept.sizes[result.kept.rank++] = 1;
  return result;
}

std::vector<OpDef> moments_ops() {
  return {{.name = "moments",
           .summary = "The mean and the variance over the listed axes.",
           .attrs = {tuple_attr("axes", "None"), flag_attr("keepdims", false)},
           .outputs = named_ports({"output0", "output1"}),
           .infer = infer_moments,
           .lower = lower_moments}};
}

}  // namespace mxinfer::ops
