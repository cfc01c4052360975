// softmax, log_softmax, softmin, SoftmaxActivation and SoftmaxOutput: they differ in which dimensions make a
// line.
#include "kernels/softmax/softmax.h"

#include <algorithm>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/unify_sizes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/layout/layout_rules.h"

namespace mxinfer::ops {
namespace {

using kernels::SoftmaxArgs;

std::size_t softmax_axis(const Attrs& attrs, const Shape& shape) {
  return resolve_axis("axis", attrs.integer("axis"), shape.rank());
}

/// Lines along one axis of a shape.
void set_axis(SoftmaxArgs& args, const Shape& shape, std::size_t axis) {
  args.axis = shape[axis];
  args.inner = shape.elements(axis + 1, shape.rank());
}

/// Output 0 from input 0; input 1 holds lengths if `lengths` says so.
Step lower_lines(LowerContext& ctx, const SoftmaxArgs& args, bool lengths) {
  const DType from = ctx.input(0).dtype, to = ctx.output(0).dtype;
  const auto kernel =
      kernels::select_softmax(element_type(from), element_type(to), args, lengths, ctx.target());
  if (kernel.run == nullptr) {
    fail(ErrorCode::unsupported, "softmax from ", to_string(from), " to ", to_string(to),
         " is not supported");
  }
  if (from == to) ctx.may_overwrite(0, 0);
  const std::int64_t count = ctx.output(0).shape.elements();
  const std::int64_t lines = args.axis == 0 ? 0 : count / args.axis;
  // Whole vectors of lines that lie side by side.
  const std::int64_t grain =
      round_up(std::max<std::int64_t>(1, kElementGrain / std::max<std::int64_t>(1, args.axis)),
               args.inner == 1 ? 1 : 16);
  Step step;
  step.kernel = kernel_name("softmax", args.log ? "log" : "exp", kernel.variant, from, kernel.target);
  step.reason = concat(lines, " lines of ", args.axis, ", ", args.inner, " side by side");
  step.flops = 5.0 * static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    const void* length = lengths ? run.inputs[1] : nullptr;
    parallel_for(lines, grain, [&](std::int64_t begin, std::int64_t end) {
      kernel.run(args, run.inputs[0], run.outputs[0], length, begin, end);
    });
  };
  return step;
}

bool uses_length(const Attrs& attrs) {
  return attrs.has("use_length") && attrs.flag("use_length");
}

bool is_integer_length(DType dtype) {
  return dtype == DType::int32 || dtype == DType::int64 || dtype == DType::int8 || dtype == DType::uint8;
}

/// The lengths have the data's shape without the axis.
void check_lengths(const InferContext& ctx, std::size_t axis) {
  Shape expected = ctx.shape(0);
  expected.erase(axis);
  if (ctx.shape(1) != expected || !is_integer_length(ctx.dtype(1))) {
    fail(ErrorCode::invalid_argument, "length is ", to_string(ctx.inputs[1]), ": expected integers of shape ",
         to_string(expected));
  }
}

std::vector<TensorType> infer_softmax(const InferContext& ctx) {
  const std::size_t axis = softmax_axis(ctx.attrs, ctx.shape(0));
  if (uses_length(ctx.attrs)) check_lengths(ctx, axis);
  if (ctx.attrs.has("temperature") && ctx.attrs.number("temperature") == 0) {
    fail(ErrorCode::invalid_argument, "attribute temperature=0: expected a number other than 0");
  }
  TensorType out = infer_same_float(ctx)[0];
  if (ctx.attrs.has("dtype")) out.dtype = ctx.attrs.dtype("dtype");
  return {out};
}

bool softmax_layout(LayoutRewriter& rewriter, std::size_t id) {
  return rewriter.node(id).inputs.size() == 1 && along_axis(rewriter, id, "axis");
}

OpDef softmax_along(std::string name, std::vector<std::string> aliases, std::string formula, bool log,
                    float sign) {
  OpDef op;
  op.name = std::move(name);
  op.aliases = std::move(aliases);
  op.summary = std::move(formula);
  op.attrs = {graph::integer_attr("axis", -1), graph::number_attr("temperature").optional_none(),
              graph::choice_attr("dtype", {"float16", "float32", "float64"}).optional_none(),
              graph::flag_attr("use_length", false).optional_none()};
  op.inputs = [](const Attrs& attrs) {
    return uses_length(attrs) ? PortNames{{"data", "length"}} : PortNames{{"data"}};
  };
  op.traits.keeps_shape = true;
  op.traits.channels_last = softmax_layout;
  op.infer = infer_softmax;
  op.unify = unify_first;
  op.lower = [log, sign](LowerContext& ctx) {
    const Attrs& attrs = ctx.attrs();
    SoftmaxArgs args;
    args.log = log;
    args.sign = sign;
    if (attrs.has("temperature")) args.temperature = attrs.number("temperature");
    const bool lengths = uses_length(attrs);
    if (lengths) args.length_type = element_type(ctx.input(1).dtype);
    set_axis(args, ctx.input(0).shape, softmax_axis(attrs, ctx.input(0).shape));
    return lower_lines(ctx, args, lengths);
  };
  return op;
}

/// Data of two dimensions at least, for the operators that set the first apart.
std::vector<TensorType> infer_instances(const InferContext& ctx) {
  if (ctx.shape(0).rank() < 2) {
    fail(ErrorCode::invalid_argument, "data ", to_string(ctx.shape(0)), ": expected two dimensions at least");
  }
  return infer_same_float(ctx);
}

/// channels: along axis 1; otherwise over all elements of an instance.
Step lower_instances(LowerContext& ctx, bool channels) {
  const Shape& shape = ctx.input(0).shape;
  SoftmaxArgs args;
  if (channels) {
    set_axis(args, shape, 1);
  } else {
    args.axis = shape.elements(1, shape.rank());
  }
  return lower_lines(ctx, args, false);
}

Step lower_last_axis(LowerContext& ctx) {
  const Shape& shape = ctx.input(0).shape;
  SoftmaxArgs args;
  set_axis(args, shape, shape.rank() - 1);
  return lower_lines(ctx, args, false);
}

OpDef softmax_activation() {
  return {
      .name = "SoftmaxActivation",
      .summary = "softmax along the last axis, or along the channels (axis 1) with mode=channel.",
      .attrs = {graph::choice_attr("mode", {"channel", "instance"}, "instance")},
      .infer = infer_instances,
      .lower =
          [](LowerContext& ctx) {
            return ctx.attrs().choice("mode") == "channel" ? lower_instances(ctx, true)
                                                           : lower_last_axis(ctx);
          },
  };
}

OpDef softmax_output() {
  return {
      .name = "SoftmaxOutput",
      .aliases = {"Softmax"},
      .summary =
          "softmax over all elements of an instance; along axis 1 with multi_output, along the last axis "
          "with preserve_shape.",
      .attrs = {graph::number_attr("grad_scale", 1.0).without_effect(),
                graph::number_attr("ignore_label", -1.0).without_effect(),
                graph::flag_attr("multi_output", false),
                graph::flag_attr("use_ignore", false).without_effect(),
                graph::flag_attr("preserve_shape", false),
                graph::choice_attr("normalization", {"batch", "null", "valid"}, "null").without_effect(),
                graph::flag_attr("out_grad", false).without_effect(),
                graph::number_attr("smooth_alpha", 0.0).without_effect()},
      .inputs =
          [](const Attrs&) {
            return PortNames{{"data", "label"}};
          },
      .training_inputs = {"label"},
      .op_class = OpClass::loss_output,
      .infer = infer_instances,
      .lower =
          [](LowerContext& ctx) {
            if (ctx.attrs().flag("multi_output")) return lower_instances(ctx, true);
            return ctx.attrs().flag("preserve_shape") ? lower_last_axis(ctx) : lower_instances(ctx, false);
          },
  };
}

}  // namespace

std::vector<OpDef> softmax_ops() {
  return {
      softmax_along("softmax", {"_npx_softmax"},
                    "exp(x / t) / sum exp(x / t) along an axis, t = temperature; with use_length, elements "
                    "from the length on are left out and become 0.",
                    false, 1),
      softmax_along("log_softmax", {"_npx_log_softmax"}, "The logarithm of softmax along an axis.", true, 1),
      softmax_along("softmin", {}, "softmax of -x along an axis.", false, -1),
      softmax_activation(),
      softmax_output(),
  };
}

}  // namespace mxinfer::ops
