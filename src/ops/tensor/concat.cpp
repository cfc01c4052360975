// Concat and stack: several inputs side by side.
#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/layout/layout_rules.h"

namespace mxinfer::ops {
namespace {

void require_inputs(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "at least one input is expected, none was given");
}

[[noreturn]] void fail_input(const InferContext& context, std::size_t i) {
  fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.inputs[i]), ", input 0 is ",
       to_string(context.inputs[0]), "; they cannot be concatenated");
}

std::vector<TensorType> infer_concat(const InferContext& context) {
  require_inputs(context);
  Shape shape = context.shape(0);
  const std::size_t axis = resolve_axis("dim", context.attrs.integer("dim"), shape.rank());
  for (std::size_t i = 1; i < context.count(); ++i) {
    const Shape& other = context.shape(i);
    if (other.rank() != shape.rank() || context.dtype(i) != context.dtype(0)) fail_input(context, i);
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (d != axis && other[d] != shape[d]) fail_input(context, i);
    }
    const auto sum = checked_add(shape[axis], other[axis]);
    if (!sum) fail_input(context, i);
    shape[axis] = *sum;
  }
  return {{context.dtype(0), shape}};
}

std::vector<TensorType> infer_stack(const InferContext& context) {
  require_inputs(context);
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (!(context.inputs[i] == context.inputs[0])) fail_input(context, i);
  }
  Shape shape = context.shape(0);
  shape.insert(resolve_axis("axis", context.attrs.integer("axis"), shape.rank() + 1),
               static_cast<std::int64_t>(context.count()));
  return {{context.dtype(0), shape}};
}

Step lower_concat(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const auto out_strides = strides_of(context.output(0));
  const std::size_t axis = resolve_axis("dim", context.attrs().integer("dim"), out.rank());
  std::vector<CopyJob> jobs;
  std::int64_t position = 0;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const Shape& in = context.input(i).shape;
    Walk walk(in);
    walk.dst_strides = out_strides;
    walk.dst_offset = position * out_strides[axis];
    position += in[axis];
    jobs.push_back({i, 0, walk});
  }
  return copy_step(context, jobs);
}

Step lower_stack(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), out.rank());
  auto dst_strides = row_major_strides(out);
  const std::int64_t step = dst_strides[axis];
  dst_strides.erase(dst_strides.begin() + static_cast<std::ptrdiff_t>(axis));
  std::vector<CopyJob> jobs;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    Walk walk(context.input(i).shape);
    walk.dst_strides = dst_strides;
    walk.dst_offset = static_cast<std::int64_t>(i) * step;
    jobs.push_back({i, 0, walk});
  }
  return copy_step(context, jobs);
}

PortNames variadic(const Attrs&) {
  return PortNames{{}, false, "num_args"};
}

}  // namespace

std::vector<OpDef> concat_ops() {
  OpDef concat_op;
  concat_op.name = "Concat";
  concat_op.aliases = {"concat", "_sparse_concat"};
  concat_op.summary = "The inputs one after another along dim.";
  concat_op.attrs = {graph::integer_attr("num_args").at_least(1), graph::integer_attr("dim", 1)};
  concat_op.inputs = variadic;
  concat_op.traits.per_sample = [](const Attrs& attrs, std::size_t rank) {
    return attrs.integer("dim") != 0 && attrs.integer("dim") > -static_cast<std::int64_t>(rank);
  };
  concat_op.traits.batched_inputs = true;
  concat_op.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
    return along_axis(rewriter, id, "dim");
  };
  concat_op.traits.follows_bfloat16 = always_follows;
  concat_op.infer = infer_concat;
  concat_op.lower = lower_concat;
  concat_op.traits.strided_output = [](const Attrs&, std::size_t) { return true; };
  concat_op.traits.concatenates_rows = [](const Attrs& attrs, std::size_t rank) {
    return resolve_axis("dim", attrs.integer("dim"), rank) + 1 == rank;
  };
  concat_op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_except(attrs.integer("dim"), inputs, outputs);
  };

  OpDef rnn_param_concat = concat_op;
  rnn_param_concat.name = "_rnn_param_concat";
  rnn_param_concat.aliases = {"_npi_rnn_param_concat"};

  OpDef stack;
  stack.name = "stack";
  stack.summary = "The inputs stacked along a new dimension at axis.";
  stack.attrs = {graph::integer_attr("num_args").at_least(1), graph::integer_attr("axis", 0)};
  stack.inputs = variadic;
  stack.infer = infer_stack;
  stack.lower = lower_stack;

  return {concat_op, rnn_param_concat, stack};
}

}  // namespace mxinfer::ops
