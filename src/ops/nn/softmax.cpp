// softmax, log_softmax, softmin, SoftmaxActivation and SoftmaxOutput: they differ in which dimensions make a
// line.
#include <algorithm>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/unify_sizes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/layout/layout_rules.h"
#include "ops/nn/softmax_lines.h"

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

/// Output 0 from input 0.
Step lower_softmax(LowerContext& ctx) {
  const auto [args, lengths] = softmax_lines(ctx);
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
  step.run = [=, args = args, lengths = lengths](const RunContext& run) {
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

OpDef softmax_along(std::string name, std::vector<std::string> aliases, std::string formula) {
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
  op.lower = lower_softmax;
  return op;
}

/// Data of two dimensions at least, for the operators that set the first apart.
std::vector<TensorType> infer_instances(const InferContext& ctx) {
  if (ctx.shape(0).rank() < 2) {
    fail(ErrorCode::invalid_argument, "data ", to_string(ctx.shape(0)), ": expected two dimensions at least");
  }
  return infer_same_float(ctx);
}

OpDef softmax_activation() {
  return {
      .name = "SoftmaxActivation",
      .summary = "softmax along the last axis, or along the channels (axis 1) with mode=channel.",
      .attrs = {graph::choice_attr("mode", {"channel", "instance"}, "instance")},
      .infer = infer_instances,
      .lower = lower_softmax,
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
      .lower = lower_softmax,
  };
}

void set_along(SoftmaxLines& lines, const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  lines.args.log = node.node().op->name == "log_softmax";
  lines.args.sign = node.node().op->name == "softmin" ? -1.0f : 1.0f;
  if (attrs.has("temperature")) lines.args.temperature = attrs.number("temperature");
  lines.has_lengths = uses_length(attrs);
  if (lines.has_lengths) lines.args.length_type = element_type(node.input(1).dtype);
  set_axis(lines.args, node.input(0).shape, softmax_axis(attrs, node.input(0).shape));
}

}  // namespace

SoftmaxLines softmax_lines(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  const Shape& shape = node.input(0).shape;
  const std::string& name = node.node().op->name;
  SoftmaxLines lines;
  if (name != "SoftmaxActivation" && name != "SoftmaxOutput") {
    set_along(lines, node);
  } else if (name == "SoftmaxOutput" ? attrs.flag("multi_output") : attrs.choice("mode") == "channel") {
    set_axis(lines.args, shape, 1);
  } else if (name == "SoftmaxActivation" || attrs.flag("preserve_shape")) {
    set_axis(lines.args, shape, shape.rank() - 1);
  } else {
    lines.args.axis = shape.elements(1, shape.rank());  // all of an instance
  }
  return lines;
}

std::vector<OpDef> softmax_ops() {
  return {
      softmax_along("softmax", {"_npx_softmax"},
                    "exp(x / t) / sum exp(x / t) along an axis, t = temperature; with use_length, elements "
                    "from the length on are excluded, and become 0."),
      softmax_along("log_softmax", {"_npx_log_softmax"}, "The logarithm of softmax along an axis."),
      softmax_along("softmin", {}, "softmax of -x along an axis."),
      softmax_activation(),
      softmax_output(),
  };
}

}  // namespace mxinfer::ops
