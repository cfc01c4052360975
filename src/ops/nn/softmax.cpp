// softmax, log_softmax, softmin, SoftmaxActivation and SoftmaxOutput: they differ in which dimensions make a
// line. softmax_cross_entropy: a loss, whose labels are an input like any other.

#include "kernels/softmax/cross_entropy.h"
#include "ops/common/axes.h"
#include "ops/common/float_types.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/indices.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

using kernels::SoftmaxArgs;

std::size_t softmax_axis(const Attrs& attrs, const Shape& shape) {
  return resolve_axis("axis", attrs.integer("axis"), shape.rank());
}

void set_axis(SoftmaxArgs& args, const Shape& shape, std::size_t axis) {
  args.axis = shape[axis];
  args.inner = shape.elements(axis + 1, shape.rank());
}

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
  const std::int64_t grain = round_up(piece_grain(kElementGrain, args.axis), args.inner == 1 ? 1 : 16);
  Step step{.kernel = kernel_name("softmax", args.log ? "log" : "exp", kernel.variant, from, kernel.target)};
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

/// The lengths have the data's shape without the axis.
void check_lengths(const InferContext& ctx, std::size_t axis) {
  Shape expected = ctx.shape(0);
  expected.erase(axis);
  if (ctx.shape(1) != expected || !computes_integers(ctx.dtype(1))) {
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
  OpDef op{.name = std::move(name), .aliases = std::move(aliases), .summary = std::move(formula)};
  op.attrs = {integer_attr("axis", -1), number_attr("temperature").optional_none(),
              choice_attr("dtype", {"float16", "float32", "float64"}).optional_none(),
              flag_attr("use_length", false).optional_none()};
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

OpDef softmax_output() {
  return {
      .name = "SoftmaxOutput",
      .aliases = {"Softmax"},
      .summary =
          "softmax over all elements of an instance; along axis 1 with multi_output, along the last axis "
          "with preserve_shape.",
      .attrs = {number_attr("grad_scale", 1.0).without_effect(),
                number_attr("ignore_label", -1.0).without_effect(), flag_attr("multi_output", false),
                flag_attr("use_ignore", false).without_effect(), flag_attr("preserve_shape", false),
                choice_attr("normalization", {"batch", "null", "valid"}, "null").without_effect(),
                flag_attr("out_grad", false).without_effect(),
                number_attr("smooth_alpha", 0.0).without_effect()},
      .inputs = named_ports({"data", "label"}),
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

std::vector<TensorType> infer_cross_entropy(const InferContext& context) {
  const Shape& data = context.shape(0);
  if (data.rank() != 2 || data[1] < 1) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": expected (batch, classes)");
  }
  if (context.shape(1) != Shape{data[0]}) {
    fail(ErrorCode::invalid_argument, "label has shape ", to_string(context.shape(1)), ": expected ",
         to_string(Shape{data[0]}), " for data of shape ", to_string(data));
  }
  infer_same_float(context);
  return {{context.dtype(0), Shape{1}}};
}

template <typename T>
Step cross_entropy_step(LowerContext& context) {
  const std::int64_t rows = context.input(0).shape[0], columns = context.input(0).shape[1];
  const IndexInput label(context, 1);
  Step step{.scratch_bytes = label.scratch_bytes(), .flops = 3.0 * static_cast<double>(rows * columns)};
  step.run = [=](const RunContext& run) {
    const std::int64_t* labels = label.read(run);
    for (std::int64_t i = 0; i < rows; ++i) {
      if (labels[i] < 0 || labels[i] >= columns) {
        fail(ErrorCode::invalid_argument, "label ", labels[i], " at position ", i, " is not one of the ",
             columns, " classes");
      }
    }
    kernels::softmax_cross_entropy(run.input<T>(0), labels, rows, columns, run.output<T>(0));
  };
  return step;
}

Step lower_cross_entropy(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  Step step = for_float(dtype, [&](auto zero) { return cross_entropy_step<decltype(zero)>(context); });
  step.kernel = kernel_name("softmax", "cross_entropy", "ref", dtype, kernels::Target::ref);
  step.reason = "a loss has the reference only";
  return step;
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
      {.name = "SoftmaxActivation",
       .summary = "softmax along the last axis, or along the channels (axis 1) with mode=channel.",
       .attrs = {choice_attr("mode", {"channel", "instance"}, "instance")},
       .infer = infer_instances,
       .lower = lower_softmax},
      softmax_output(),
      {.name = "softmax_cross_entropy",
       .summary = "-(the sum over the batch of log(max(softmax(data)[label], 1e-8))); a label that is not a "
                  "class is an error.",
       .inputs = named_ports({"data", "label"}),
       .infer = infer_cross_entropy,
       .lower = lower_cross_entropy},
  };
}

}  // namespace mxinfer::ops
