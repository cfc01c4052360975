// LayerNorm, InstanceNorm, GroupNorm: statistics of the data itself. LRN: division by the energy of nearby
// channels.
// L2Normalization: x / sqrt(sum of x^2 + eps) over an instance, its channels or its positions.
#include "ops/nn/normalization/normalization.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise/binary.h"
#include "kernels/normalize/row_norm.h"
#include "kernels/reduce/reduce.h"
#include "ops/common/axes.h"
#include "ops/common/float_types.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kNormalizedElements = 1 << 14;

using LayoutFn = RowLayout (*)(const Attrs&, const Shape&);

RowLayout layer_layout(const Attrs& attrs, const Shape& shape) {
  const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
  RowLayout layout{.outer = shape.elements(0, axis), .length = shape[axis]};
  layout.inner = shape.elements(axis + 1, shape.rank());
  layout.element_affine = true;
  layout.statistics = shape;
  layout.statistics[axis] = 1;
  return layout;
}

RowLayout instance_layout(const Attrs&, const Shape& shape) {
  require_rank_at_least(shape, 3);
  return {.outer = shape.elements(0, 2),
          .length = shape.elements(2, shape.rank()),
          .groups = shape[1],
          .statistics = Shape{shape[0], shape[1]}};
}

RowLayout group_layout(const Attrs& attrs, const Shape& shape) {
  require_rank_at_least(shape, 3);
  const std::int64_t groups = attrs.integer("num_groups");
  if (shape[1] % groups != 0) {
    fail(ErrorCode::invalid_argument, "num_groups=", groups, " does not divide the ", shape[1],
         " channels of ", to_string(shape));
  }
  const auto rows = checked_mul(shape[0], groups);
  if (!rows) {
    fail(ErrorCode::invalid_argument, "num_groups=", groups, " is too many for a batch of ", shape[0]);
  }
  return {.outer = *rows,
          .length = shape[1] / groups * shape.elements(2, shape.rank()),
          .groups = groups,
          .statistics = Shape{shape[0], groups}};
}

bool gives_statistics(const Attrs& attrs, bool has_attribute) {
  return has_attribute && attrs.flag("output_mean_var");
}

InferFn infer_rows(LayoutFn layout_of, bool has_statistics) {
  return [=](const InferContext& context) {
    require_float(context.dtype(0));
    const RowLayout layout = layout_of(context.attrs, context.shape(0));
    const TensorType affine{context.dtype(0), Shape{layout.affine()}};
    for (std::size_t i = 1; i < 3; ++i) {
      if (context.inputs[i] == affine) continue;
      fail(ErrorCode::invalid_argument, i == 1 ? "gamma" : "beta", " is ", to_string(context.inputs[i]),
           "; an input of ", to_string(context.inputs[0]), " needs ", to_string(affine));
    }
    std::vector<TensorType> outputs{context.inputs[0]};
    if (gives_statistics(context.attrs, has_statistics)) {
      outputs.push_back({context.dtype(0), layout.statistics});
      outputs.push_back({context.dtype(0), layout.statistics});
    }
    return outputs;
  };
}

kernels::RowNormFn<float> choose(const RowLayout& layout, kernels::Target target, float) {
  // Of rows without elements, which have statistics too, the fast kernel would read a gamma.
  const bool fast = layout.inner == 1 && layout.length > 0;
  return kernels::select_row_norm_f32(fast ? target : kernels::Target::ref);
}
kernels::RowNormFn<double> choose(const RowLayout&, kernels::Target, double) {
  return kernels::row_norm_ref;
}

template <typename T>
Step lower_rows_typed(LowerContext& context, const RowLayout& layout, bool statistics) {
  const auto args = row_norm_args<T>(context.attrs(), layout);
  const kernels::RowNormFn<T> run = choose(layout, context.target(), T{});
  const bool ref = run == static_cast<kernels::RowNormFn<T>>(kernels::row_norm_ref);
  const std::int64_t rows = layout.rows();
  const std::int64_t grain = piece_grain(kNormalizedElements, layout.length);

  Step step;
  step.kernel = concat("row_norm_", ref ? "ref" : "rows", sizeof(T) == 8 ? "_f64" : "_f32", " [",
                       kernels::to_string(ref ? kernels::Target::ref : context.target()), "]");
  step.reason = layout.inner == 1 ? "rows are consecutive" : "rows are strided: the reference kernel only";
  step.flops = 7.0 * static_cast<double>(rows) * static_cast<double>(layout.length);
  step.run = [=](const RunContext& at_run) {
    const auto now = with_operands(args, at_run, statistics);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  context.may_overwrite(0, 0);  // a row is read to its end before it is written
  return step;
}

LowerFn lower_rows(bool has_statistics) {
  return [=](LowerContext& context) {
    const RowLayout layout = row_layout(context);
    const bool statistics = gives_statistics(context.attrs(), has_statistics);
    return context.input(0).dtype == DType::float64 ? lower_rows_typed<double>(context, layout, statistics)
                                                    : lower_rows_typed<float>(context, layout, statistics);
  };
}

OpDef row_op(std::string name, LayoutFn layout_of, bool has_statistics, double eps) {
  OpDef op{.name = std::move(name), .attrs = {number_attr("eps", eps)}};
  if (has_statistics) op.attrs.push_back(flag_attr("output_mean_var", false));
  op.inputs = named_ports({"data", "gamma", "beta"});
  op.outputs = [has_statistics](const Attrs& attrs) {
    return gives_statistics(attrs, has_statistics) ? PortNames{{"output", "mean", "std"}}
                                                   : PortNames{{"output"}};
  };
  op.infer = infer_rows(layout_of, has_statistics);
  op.unify = unify_first;
  op.lower = lower_rows(has_statistics);
  return op;
}

std::vector<TensorType> infer_lrn(const InferContext& context) {
  if (context.shape(0).rank() != 4) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(context.shape(0)),
         " was given; expected (batch, channel, y, x)");
  }
  if (context.dtype(0) != DType::float32) {
    fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(0)),
         " was given; float32 is expected");
  }
  if (context.attrs.integer("nsize") % 2 != 1) {
    fail(ErrorCode::malformed, "attribute nsize=", context.attrs.integer("nsize"),
         ": expected an odd number");
  }
  return {context.inputs[0]};
}

Step lower_lrn(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const kernels::LrnArgs args = lrn_args(context);
  // The fast kernel takes powers of positive numbers only.
  const bool fast = args.knorm > 0 && args.alpha >= 0 && context.target() != kernels::Target::ref;
  const kernels::Target target = fast ? context.target() : kernels::Target::ref;
  const kernels::LrnFn run = kernels::select_lrn_f32(target);
  const std::int64_t rows = args.inner == 0 ? 0 : shape[0] * shape[1];
  // A window is cut to the channels that there are.
  const std::int64_t grain =
      piece_grain(kNormalizedElements, args.inner * std::min(args.size, args.channels));

  Step step{.kernel = labelled(fast ? "lrn_rows_f32" : "lrn_ref_f32", target)};
  step.reason =
      fast ? "vectors along the pixels" : "the reference was requested, or the power's base may be negative";
  step.flops = static_cast<double>(shape.elements()) * (2.0 * static_cast<double>(args.size) + 10.0);
  step.run = [=](const RunContext& at_run) {
    kernels::LrnArgs now = args;
    now.src = at_run.input<float>(0);
    now.dst = at_run.output<float>(0);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

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
  const std::int64_t grain = piece_grain(kElementGrain, lines.axis);
  Step step{
      .kernel = kernel_name("l2_normalize", ctx.attrs().choice("mode"), fold.variant, in.dtype, fold.target),
      .reason = concat(lines.count, " lines of ", lines.axis)};
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

RowLayout row_layout(const OpProblem& node) {
  const std::string& name = node.node().op->name;
  const Shape& shape = node.input(0).shape;
  if (name == "LayerNorm") return layer_layout(node.attrs(), shape);
  return name == "GroupNorm" ? group_layout(node.attrs(), shape) : instance_layout(node.attrs(), shape);
}

kernels::LrnArgs lrn_args(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  return {.channels = shape[1],
          .inner = shape[2] * shape[3],
          .size = node.attrs().integer("nsize"),
          .alpha = node.attrs().number32("alpha"),
          .beta = node.attrs().number32("beta"),
          .knorm = node.attrs().number32("knorm")};
}

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

std::vector<OpDef> normalization_ops() {
  OpDef layer = row_op("LayerNorm", layer_layout, true, 9.99999975e-06);
  layer.aliases = {"_npx_layer_norm"};
  layer.summary = "(data - mean) / sqrt(var + eps) * gamma + beta with the statistics along axis.";
  layer.attrs.push_back(integer_attr("axis", -1));
  layer.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_first(attrs, inputs, outputs);
    unify_axis(inputs[0], attrs.integer("axis"), inputs[1]);
  };

  OpDef instance = row_op("InstanceNorm", instance_layout, false, 0.00100000005);
  instance.traits.float16_on_gpus = true;
  instance.summary =
      "(data - mean) / sqrt(var + eps) * gamma + beta with the statistics of each channel of each sample.";
  instance.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_first(attrs, inputs, outputs);
    unify_axis(inputs[0], 1, inputs[1]);
  };

  OpDef group = row_op("GroupNorm", group_layout, true, 9.99999975e-06);
  group.summary =
      "(data - mean) / sqrt(var + eps) * gamma + beta with the statistics of each group of channels of each "
      "sample; gamma and beta have one element for each group.";
  group.attrs.push_back(integer_attr("num_groups", 1).at_least(1));

  return {
      through_float32(layer),
      instance,
      through_float32(group),
      {.name = "LRN",
       .summary = "data * (knorm + alpha / nsize * sum of squares over nsize channels) ^ -beta.",
       .attrs = {number_attr("alpha", 9.99999975e-05), number_attr("beta", 0.75), number_attr("knorm", 2),
                 integer_attr("nsize").at_least(1)},
       .traits = {.keeps_shape = true, .per_sample = always_per_sample, .float16_on_gpus = true},
       .infer = infer_lrn,
       .lower = lower_lrn,
       .unify = unify_first},
      {.name = "L2Normalization",
       .summary = "x / sqrt(sum x^2 + eps), with the sum over an instance, over its channels at each "
                  "position, or over the positions of each channel.",
       .attrs = {number_attr("eps", 1e-10),
                 choice_attr("mode", {"channel", "instance", "spatial"}, "instance")},
       .infer = infer_l2,
       .lower = lower_l2},
  };
}

}  // namespace mxinfer::ops
