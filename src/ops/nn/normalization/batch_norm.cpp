// BatchNorm, BatchNorm_v1 and SyncBatchNorm: at inference the moving statistics make them one affine function
// a channel. _mxinfer_batch_norm_bf16 is what a pass makes of BatchNorm between products of bfloat16: it
// computes in float32 and rounds.
#include <cmath>

#include "base/files/aligned_memory.h"
#include "kernels/normalize/scale_shift.h"
#include "ops/common/axes.h"
#include "ops/common/float_types.h"
#include "ops/layout/layout_rewriter.h"

namespace mxinfer::ops {
namespace {

// About 16 Ki elements to a piece of work.
constexpr std::int64_t kBatchNormElements = 1 << 14;

enum class Flavour {
  current,  ///< output_mean_var gives the mean and 1 / sqrt(var + eps)
  old       ///< ... the mean and the variance
};

std::size_t channel_axis(const Attrs& attrs, const Shape& shape, bool has_axis) {
  require_rank_at_least(shape, has_axis ? 1 : 2);
  return has_axis ? resolve_axis("axis", attrs.integer("axis"), shape.rank()) : 1;
}

/// The parameters, inputs 1 to 4, are of one type.
std::vector<TensorType> infer_batch_norm(const InferContext& context, bool has_axis, DType parameters) {
  const Shape& shape = context.shape(0);
  const std::int64_t channels = shape[channel_axis(context.attrs, shape, has_axis)];
  static constexpr const char* kNames[] = {"data", "gamma", "beta", "moving_mean", "moving_var"};
  for (std::size_t i = 1; i < 5; ++i) {
    if (context.shape(i) != Shape{channels} || context.dtype(i) != parameters) {
      fail(ErrorCode::invalid_argument, kNames[i], " is ", to_string(context.inputs[i]), "; an input of ",
           to_string(context.inputs[0]), " needs ", to_string(TensorType{parameters, Shape{channels}}));
    }
  }
  std::vector<TensorType> outputs{context.inputs[0]};
  if (context.attrs.flag("output_mean_var")) {
    outputs.push_back({parameters, Shape{channels}});
    outputs.push_back({parameters, Shape{channels}});
  }
  return outputs;
}

std::vector<TensorType> infer_batch_norm_bf16(const InferContext& context) {
  if (context.dtype(0) != DType::bfloat16) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected ",
         to_string(DType::bfloat16));
  }
  return infer_batch_norm(context, true, DType::float32);
}

/// Computes in T; data and output are of type Element.
template <typename T, typename Element>
struct BatchNormPlan {
  kernels::ScaleShiftArgs<T, Element> args;
  kernels::ScaleShiftFn<T, Element> run = nullptr;
  std::int64_t rows = 0;
  std::int64_t grain = 1;
  double eps = 0;
  bool fix_gamma = false;
  bool statistics = false;
  Flavour flavour = Flavour::current;
  std::shared_ptr<const AlignedBuffer> folded;  ///< scale, then shift; null if they are computed in every run

  void fold(const T* gamma, const T* beta, const T* mean, const T* variance, T* scale) const {
    kernels::fold_statistics(args.channels, fix_gamma ? nullptr : gamma, beta, mean, variance, eps, scale,
                             scale + args.channels);
  }

  void write_statistics(const RunContext& context) const {
    const T* mean = context.input<T>(3);
    const T* variance = context.input<T>(4);
    for (std::int64_t c = 0; c < args.channels; ++c) {
      const double inverse = 1.0 / std::sqrt(static_cast<double>(variance[c]) + eps);
      context.output<T>(1)[c] = mean[c];
      context.output<T>(2)[c] = flavour == Flavour::old ? variance[c] : static_cast<T>(inverse);
    }
  }

  void operator()(const RunContext& context) const {
    kernels::ScaleShiftArgs<T, Element> now = args;
    if (folded) {
      now.scale = reinterpret_cast<const T*>(folded->data());
    } else {
      T* scale = reinterpret_cast<T*>(context.scratch);
      fold(context.input<T>(1), context.input<T>(2), context.input<T>(3), context.input<T>(4), scale);
      now.scale = scale;
    }
    now.shift = now.scale + args.channels;
    now.src = context.input<Element>(0);
    now.dst = context.output<Element>(0);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
    if (statistics) write_statistics(context);
  }
};

std::string choose(BatchNormPlan<float, float>& plan, kernels::Target target) {
  plan.run = kernels::select_scale_shift_f32(target);
  return labelled("scale_shift_rows_f32", target);
}
std::string choose(BatchNormPlan<float, kernels::BFloat16>& plan, kernels::Target target) {
  plan.run = kernels::select_scale_shift_bf16(target);
  return labelled("scale_shift_rows_bf16", target);
}
std::string choose(BatchNormPlan<double, double>& plan, kernels::Target) {
  plan.run = kernels::scale_shift_ref;
  return "scale_shift_ref_f64 [ref]";
}

template <typename T, typename Element = T>
Step lower_typed(LowerContext& context, Flavour flavour, bool has_axis, const kernels::PostOps& post_ops) {
  const Attrs& attrs = context.attrs();
  const Shape& shape = context.input(0).shape;
  const std::size_t axis = channel_axis(attrs, shape, has_axis);
  BatchNormPlan<T, Element> plan;
  plan.args.channels = shape[axis];
  plan.args.inner = shape.elements(axis + 1, shape.rank());
  plan.args.post_ops = post_ops;
  if (plan.args.inner == 1) plan.args.src_stride = context.input(0).row_stride;
  Step step{.kernel = choose(plan, context.target())};
  const std::int64_t width = plan.args.inner > 1 ? plan.args.inner : plan.args.channels;
  plan.rows = width == 0 ? 0 : shape.elements() / width;
  plan.grain = piece_grain(kBatchNormElements, width);
  plan.eps = attrs.number("eps");
  plan.fix_gamma = attrs.flag("fix_gamma");
  plan.statistics = attrs.flag("output_mean_var");
  plan.flavour = flavour;

  const std::size_t bytes = 2 * static_cast<std::size_t>(plan.args.channels) * sizeof(T);
  bool constant = true;
  for (std::size_t i = 1; i < 5; ++i) constant = constant && context.is_constant(i);
  if (constant) {
    auto folded = std::make_shared<AlignedBuffer>(bytes);
    plan.fold(context.constant(1)->data<T>(), context.constant(2)->data<T>(), context.constant(3)->data<T>(),
              context.constant(4)->data<T>(), reinterpret_cast<T*>(folded->data()));
    plan.folded = folded;
    step.reason = "scale and shift are folded";
  } else {
    step.scratch_bytes = bytes;
    step.reason = "scale and shift are computed in every run: the statistics are not parameters";
  }
  step.flops = 2.0 * static_cast<double>(shape.elements());
  step.run = std::move(plan);
  context.may_overwrite(0, 0);
  return step;
}

/// `activation` is the operator's own; without one, what a pass has fused behind it runs.
LowerFn lower_batch_norm(Flavour flavour, bool has_axis, std::optional<kernels::PostOps> activation = {}) {
  return [=](LowerContext& context) {
    const kernels::PostOps post_ops = activation ? *activation : context.post_ops();
    return context.input(0).dtype == DType::float64
               ? lower_typed<double>(context, flavour, has_axis, post_ops)
               : lower_typed<float>(context, flavour, has_axis, post_ops);
  };
}

bool batch_norm_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const auto axis = moved_axis(rewriter, node.attrs.integer("axis"), rank);
  if (!rewriter.is_moved(node.inputs[0]) || !axis || node.num_outputs != 1) return false;
  node.attrs.set("axis", *axis);
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

bool is_last_axis(const graph::Node& node, std::size_t rank) {
  return resolve_axis("axis", node.attrs.integer("axis"), rank) + 1 == rank;
}

OpDef batch_norm_like(std::string name, AttrSpec eps) {
  OpDef op;
  op.name = std::move(name);
  op.summary =
      "(data - moving_mean) / sqrt(moving_var + eps) * gamma + beta for each channel; with fix_gamma, gamma "
      "is 1 and the stored one is ignored.";
  op.attrs = {std::move(eps), number_attr("momentum", 0.9).without_effect(), flag_attr("fix_gamma", true),
              flag_attr("use_global_stats", false).without_effect(), flag_attr("output_mean_var", false)};
  op.inputs = named_ports({"data", "gamma", "beta", "moving_mean", "moving_var"});
  op.outputs = [](const Attrs& attrs) {
    return attrs.flag("output_mean_var") ? PortNames{{"output", "mean", "var"}} : PortNames{{"output"}};
  };
  op.auxiliary = {"moving_mean", "moving_var"};
  op.traits.keeps_shape = true;
  op.fuses_activation = true;
  return op;
}

void set_flavour(OpDef& op, Flavour flavour, bool has_axis) {
  op.infer = [has_axis](const InferContext& context) {
    require_float(context.dtype(0));
    return infer_batch_norm(context, has_axis, context.dtype(0));
  };
  op.lower = lower_batch_norm(flavour, has_axis);
  op.unify = [has_axis](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_first(attrs, inputs, outputs);
    unify_axis(inputs[0], has_axis ? attrs.integer("axis") : 1, inputs[1]);
  };
}

OpDef batch_norm_bf16(const OpDef& current) {
  OpDef op = current;
  op.name = "_mxinfer_batch_norm_bf16";
  op.summary = "Made by a pass: BatchNorm of bfloat16 data with float32 parameters.";
  op.made_by_passes = true;
  op.aliases.clear();
  op.traits.strided_input = [](const graph::Node& node, DType, std::size_t rank) {
    return is_last_axis(node, rank);
  };
  op.infer = infer_batch_norm_bf16;
  op.lower = [](LowerContext& context) {
    return lower_typed<float, kernels::BFloat16>(context, Flavour::current, true, context.post_ops());
  };
  return op;
}

}  // namespace

std::vector<OpDef> batch_norm_ops() {
  // The default eps is the float 0.001, which the new operator holds as a double.
  OpDef current = batch_norm_like("BatchNorm", number_attr("eps", 0.0010000000474974513));
  current.aliases = {"_npx_batch_norm"};
  current.attrs.push_back(integer_attr("axis", 1));
  current.attrs.push_back(flag_attr("cudnn_off", false).without_effect());
  current.attrs.push_back(number_attr("min_calib_range").optional_none().without_effect());
  current.attrs.push_back(number_attr("max_calib_range").optional_none().without_effect());
  current.traits.strided_input = [](const graph::Node& node, DType dtype, std::size_t rank) {
    return dtype == DType::float32 && is_last_axis(node, rank);
  };
  current.traits.per_sample = [](const Attrs& attrs, std::size_t rank) {
    const std::int64_t axis = attrs.integer("axis");
    return axis != 0 && axis != -static_cast<std::int64_t>(rank);
  };
  current.traits.channels_last = batch_norm_layout;
  set_flavour(current, Flavour::current, true);

  OpDef old = batch_norm_like("BatchNorm_v1", number_attr("eps", 0.00100000005));
  set_flavour(old, Flavour::old, false);
  old.traits.float16_on_gpus = true;

  OpDef sync = batch_norm_like("_contrib_SyncBatchNorm", number_attr("eps", 0.00100000005));
  sync.attrs.push_back(integer_attr("ndev", 1).without_effect());
  AttrSpec key = text_attr("key", "");
  key.required = true;
  sync.attrs.push_back(std::move(key).without_effect());
  set_flavour(sync, Flavour::old, false);
  sync.traits.float16_on_gpus = true;

  // What oneDNN's graph pass makes of a BatchNorm and the relu behind it.
  OpDef rectified = current;
  rectified.name = "_contrib_BatchNormWithReLU";
  rectified.aliases.clear();
  rectified.summary = "BatchNorm, then max(x, 0).";
  rectified.fuses_activation = false;
  rectified.lower = lower_batch_norm(Flavour::current, true, kernels::PostOps{kernels::Activation::relu});

  // Float16 data has float32 parameters and statistics.
  return {through_float32(current, Float16::rounds_first_output), old, sync,
          through_float32(rectified, Float16::rounds_first_output), batch_norm_bf16(current)};
}

}  // namespace mxinfer::ops
