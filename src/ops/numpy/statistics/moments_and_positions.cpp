// NumPy's variance, standard deviation, average, positions of the extremes, and trace.
#include <algorithm>
#include <cstring>
#include <memory>

#include "kernels/reduce/variance.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/diagonal.h"
#include "ops/elementwise/elementwise.h"
#include "ops/numpy/statistics/numpy_axes.h"
#include "ops/numpy/statistics/reductions.h"

namespace mxinfer::ops {
namespace {

void expect_numbers(const InferContext& context) {
  if (kernels::select_weighted_mean(element_type(context.dtype(0))) == nullptr)
    fail(ErrorCode::unsupported, "input of ", to_string(context.dtype(0)), ": expected numbers");
}

// Variance

std::vector<TensorType> infer_variance(const InferContext& context) {
  expect_numbers(context);
  const std::vector<bool> reduced = numpy_axes(context.attrs, context.shape(0));
  const DType dtype = context.attrs.has("dtype") ? context.attrs.dtype("dtype") : context.dtype(0);
  return {{dtype, without_axes(context.shape(0), reduced, context.attrs.flag("keepdims"))}};
}

Step lower_variance(LowerContext& context) {
  const TensorType &in = context.input(0), &out = context.output(0);
  kernels::VarianceArgs args;
  args.shape = variance_shape(context);
  args.ddof = context.attrs().integer("ddof");
  args.root = context.node().op->name == "_npi_std";
  const auto run = kernels::select_variance(element_type(in.dtype), element_type(out.dtype));
  const std::int64_t results = out.shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain / 4, args.shape.reduced.elements());
  Step step{.kernel = ref_kernel("variance", in.dtype), .reason = "two passes"};
  step.flops = 4.0 * static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& now) {
    kernels::VarianceArgs a = args;
    a.src = now.inputs[0];
    a.dst = now.outputs[0];
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) { run(a, begin, end); });
  };
  return step;
}

OpDef variance_def(const char* name, const char* summary) {
  OpDef op{.name = name, .summary = summary};
  op.attrs = {
      tuple_attr("axis", "None"), flag_attr("keepdims", false), integer_attr("ddof", 0),
      choice_attr("dtype", {"float16", "float32", "float64", "int32", "int64", "int8"}).optional_none()};
  op.inputs = named_ports({"a"});
  op.infer = infer_variance;
  op.lower = lower_variance;
  return op;
}

// Average

/// Weights of one dimension lie along the only axis.
bool is_along_axis(const InferContext& context) {
  return context.attrs.flag("weighted") && context.shape(1) != context.shape(0);
}

void expect_weights(const InferContext& context) {
  const Shape& weights = context.shape(1);
  if (context.dtype(1) != context.dtype(0))
    fail(ErrorCode::invalid_argument, "weights are ", to_string(context.dtype(1)), ": expected ",
         to_string(context.dtype(0)), " as a is");
  if (!is_along_axis(context)) return;
  const bool one_axis = context.attrs.has("axis") && context.attrs.optional_tuple("axis").size() == 1;
  if (one_axis && weights.rank() == 1) {
    const std::size_t axis =
        resolve_axis("axis", context.attrs.tuple("axis").front(), context.shape(0).rank());
    if (context.shape(0)[axis] == weights[0]) return;
  }
  fail(ErrorCode::invalid_argument, "weights have the shape ", to_string(weights), ", a ",
       to_string(context.shape(0)), ": expected the same, or as many as a has along a single axis");
}

std::vector<TensorType> infer_average(const InferContext& context) {
  expect_numbers(context);
  const bool weighted = context.attrs.flag("weighted");
  if (weighted) expect_weights(context);
  const std::vector<bool> reduced = numpy_axes(context.attrs, context.shape(0));
  const TensorType mean{context.dtype(0), without_axes(context.shape(0), reduced, false)};
  if (!context.attrs.flag("returned")) return {mean};
  return {mean, {mean.dtype, weighted && !is_along_axis(context) ? mean.shape : Shape{}}};
}

/// The dimensions of `whole`, read from weights: of the same shape, or a vector along the reduced dimension.
kernels::ReduceShape of_weights(const kernels::ReduceShape& whole, bool along_axis) {
  kernels::ReduceShape weights = whole;
  if (!along_axis) return weights;
  weights.kept.strides.fill(0);
  weights.reduced.strides[0] = 1;
  return weights;
}

Step weighted_average(LowerContext& context) {
  const TensorType &in = context.input(0), &out = context.output(0);
  kernels::WeightedMeanArgs args;
  args.shape = whole_dimensions(in.shape, numpy_axes(context.attrs(), in.shape));
  const bool along_axis = context.input(1).shape != in.shape;
  args.weights = of_weights(args.shape, along_axis);
  const bool returned = context.attrs().flag("returned");
  const auto run = kernels::select_weighted_mean(element_type(in.dtype));
  const std::int64_t results = out.shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain / 8, args.shape.reduced.elements());
  Step step{.kernel = ref_kernel("weighted_mean", in.dtype), .reason = "one element at a time"};
  step.flops = 3.0 * static_cast<double>(in.shape.elements());
  const std::size_t size = size_of(in.dtype);
  // All sums along one axis are the same, and the output has one.
  const bool one_sum = returned && along_axis;
  if (one_sum) step.scratch_bytes = static_cast<std::size_t>(std::max<std::int64_t>(1, results)) * size;
  step.run = [=](const RunContext& now) {
    kernels::WeightedMeanArgs a = args;
    a.src = now.inputs[0];
    a.weight = now.inputs[1];
    a.mean = now.outputs[0];
    if (returned) a.sum = one_sum ? now.scratch : now.outputs[1];
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) { run(a, begin, end); });
    if (one_sum && results > 0) std::memcpy(now.outputs[1], now.scratch, size);
  };
  return step;
}

Step plain_average(LowerContext& context) {
  const TensorType &in = context.input(0), &out = context.output(0);
  const std::vector<bool> reduced = numpy_axes(context.attrs(), in.shape);
  const kernels::ReduceShape shape = reduce_shape(in.shape, reduced);
  const kernels::ReduceFold fold = kernels::select_reduce("mean", element_type(in.dtype), context.target());
  const std::int64_t results = out.shape.elements(), count = reduced_elements(in.shape, reduced);
  const std::int64_t grain = piece_grain(kElementGrain, count);
  const bool returned = context.attrs().flag("returned");
  const auto counted = std::make_shared<Tensor>(in.dtype, Shape{});
  store_number(*counted, 0, static_cast<double>(count));
  Step step{.kernel = kernel_name("reduce", "mean", fold.variant, in.dtype, fold.target)};
  step.reason = concat(results, " results of ", count, " elements each");
  step.flops = static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& now) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::reduce(fold, shape, now.inputs[0], now.outputs[0], begin, end);
    });
    if (returned) std::memcpy(now.outputs[1], counted->raw(), counted->bytes());
  };
  return step;
}

Step lower_average(LowerContext& context) {
  return context.attrs().flag("weighted") ? weighted_average(context) : plain_average(context);
}

OpDef average_def() {
  OpDef op{.name = "_npi_average"};
  op.summary =
      "The mean over the listed axes (all by default), weighted if weights are given; with returned, also "
      "the sum of the weights. As in MXNet the result is of the input's dtype.";
  op.attrs = {tuple_attr("axis", "None"), flag_attr("returned", false), flag_attr("weighted", true)};
  op.inputs = [](const Attrs& attrs) {
    return attrs.flag("weighted") ? PortNames{{"a", "weights"}} : PortNames{{"a"}};
  };
  op.outputs = [](const Attrs& attrs) {
    return attrs.flag("returned") ? PortNames{{"output0", "output1"}} : PortNames{{"output"}};
  };
  op.infer = infer_average;
  op.lower = lower_average;
  return op;
}

// Positions

std::vector<bool> searched_axes(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("axis")) return std::vector<bool>(shape.rank(), true);
  std::vector<bool> searched(shape.rank(), false);
  const std::size_t axis =
      resolve_axis("axis", attrs.integer("axis"), std::max<std::size_t>(1, shape.rank()));
  if (shape.rank() > 0) searched[axis] = true;
  return searched;
}

std::vector<TensorType> infer_position(const InferContext& context) {
  const Shape& shape = context.shape(0);
  if (kernels::select_arg_positions(true, element_type(context.dtype(0))) == nullptr)
    fail(ErrorCode::unsupported, "input of ", to_string(context.dtype(0)), ": expected numbers");
  const std::vector<bool> searched = searched_axes(context.attrs, shape);
  if (reduced_elements(shape, searched) == 0)
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given: there are no elements to search");
  return {{DType::int64, without_axes(shape, searched, context.attrs.flag("keepdims"))}};
}

Step lower_position(LowerContext& context) {
  const TensorType& in = context.input(0);
  const ArgLines lines = numpy_arg_lines(context);
  const auto run = kernels::select_arg_positions(lines.largest, element_type(in.dtype));
  const std::int64_t grain = piece_grain(kElementGrain, lines.size);
  Step step{.kernel = ref_kernel(lines.largest ? "argmax" : "argmin", in.dtype)};
  step.reason = concat(lines.count, " lines of ", lines.size);
  step.flops = static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& now) {
    parallel_for(lines.count, grain, [&](std::int64_t begin, std::int64_t end) {
      run(now.inputs[0], now.outputs[0], lines.size, lines.inner, begin, end);
    });
  };
  return step;
}

OpDef position_def(const char* name, const char* extreme) {
  OpDef op{.name = name};
  op.summary = concat("The position of the ", extreme,
                      " element along axis, or in the flattened input, as int64: the first of equal ones.");
  op.attrs = {integer_attr("axis").optional_none(), flag_attr("keepdims", false)};
  op.infer = infer_position;
  op.lower = lower_position;
  return op;
}

// Trace

Diagonal traced_diagonal(const Attrs& attrs, const Shape& shape) {
  return diagonal_at(attrs.integer("offset"), attrs.integer("axis1"), attrs.integer("axis2"), shape);
}

std::vector<bool> axes_of(const Diagonal& diagonal, const Shape& shape) {
  std::vector<bool> reduced(shape.rank(), false);
  reduced[diagonal.axis1] = reduced[diagonal.axis2] = true;
  return reduced;
}

std::vector<TensorType> infer_trace(const InferContext& context) {
  expect_numbers(context);
  const Diagonal diagonal = traced_diagonal(context.attrs, context.shape(0));
  return {{context.dtype(0), without_axes(context.shape(0), axes_of(diagonal, context.shape(0)), false)}};
}

Step lower_trace(LowerContext& context) {
  const TensorType &in = context.input(0), &out = context.output(0);
  const Diagonal diagonal = traced_diagonal(context.attrs(), in.shape);
  const std::vector<std::int64_t> strides = row_major_strides(in.shape);
  const std::int64_t row = strides[diagonal.axis1], column = strides[diagonal.axis2];
  kernels::ReduceShape shape = whole_dimensions(in.shape, axes_of(diagonal, in.shape));
  // Rows of a single element: the kernel reads the innermost reduced dimension as contiguous.
  shape.reduced.sizes = {diagonal.length, 1};
  shape.reduced.strides = {row + column, 1};
  const std::int64_t from = diagonal.length == 0 ? 0 : diagonal.row * row + diagonal.column * column;
  const auto skipped = static_cast<std::size_t>(from) * size_of(in.dtype);
  const kernels::ReduceFold fold = kernels::reduce_ref("sum", element_type(in.dtype));
  const std::int64_t results = out.shape.elements(), grain = piece_grain(kElementGrain, diagonal.length);
  Step step{.kernel = ref_kernel("trace", in.dtype), .reason = concat("diagonals of ", diagonal.length)};
  step.flops = static_cast<double>(results) * static_cast<double>(diagonal.length);
  step.run = [=](const RunContext& now) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::reduce(fold, shape, now.input<std::byte>(0) + skipped, now.outputs[0], begin, end);
    });
  };
  return step;
}

OpDef trace_def() {
  OpDef op{.name = "_np_trace"};
  op.summary = "The sums of the diagonals in axis1 and axis2, `offset` columns from the main one.";
  op.attrs = {integer_attr("offset", 0), integer_attr("axis1", 0), integer_attr("axis2", 1)};
  op.infer = infer_trace;
  op.lower = lower_trace;
  return op;
}

}  // namespace

kernels::ReduceShape variance_shape(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  return whole_dimensions(shape, numpy_axes(node.attrs(), shape));
}

ArgLines numpy_arg_lines(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  ArgLines lines{1, shape.elements(), 1, node.node().op->name == "_npi_argmax"};
  if (!node.attrs().has("axis") || shape.rank() == 0) return lines;
  const std::size_t axis = resolve_axis("axis", node.attrs().integer("axis"), shape.rank());
  lines.inner = shape.elements(axis + 1, shape.rank());
  lines.size = shape[axis];
  lines.count = shape.elements(0, axis) * lines.inner;
  return lines;
}

std::vector<OpDef> numpy_statistics_ops() {
  return {
      variance_def("_npi_var",
                   "The variance over the listed axes (all by default): the mean square of the "
                   "distances to the mean, divided by n - ddof."),
      variance_def("_npi_std", "The standard deviation over the listed axes (all by default)."),
      average_def(),
      position_def("_npi_argmax", "largest"),
      position_def("_npi_argmin", "smallest"),
      trace_def(),
  };
}

}  // namespace mxinfer::ops
