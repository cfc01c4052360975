// _mxinfer_convolution_nhwc: what a pass makes of a Convolution whose weights are parameters. Its data and
// output are channels-last; its weights are Convolution's own, so that the model keeps one copy of them.
#include "base/fail.h"
#include "kernels/conv_nhwc/conv_nhwc.h"
#include "ops/channels_last.h"
#include "ops/convolution_step.h"

namespace mxinfer::ops {
namespace {

/// The shape of data as Convolution has it, (N, C, spatial...).
Shape planes_shape(const Attrs& attrs, const Shape& data) {
  return attrs.flag("planes") ? data : to_channels_first(data);
}

constexpr double kLastActivation = static_cast<double>(kernels::Activation::gelu_tanh);

PortNames ports(const Attrs& attrs) {
  PortNames names = convolution_ports(attrs);
  for (const char* extra : {"border", "slopes"}) {
    if (attrs.flag(extra)) names.names.emplace_back(extra);
  }
  return names;
}

ConvExtras extras_of(const Attrs& attrs) {
  ConvExtras extras;
  std::size_t next = attrs.flag("no_bias") ? 2 : 3;
  if (attrs.flag("border")) extras.border = next++;
  if (attrs.flag("slopes")) extras.slopes = next;
  if (attrs.integer("activation") != 0)
    extras.activation = static_cast<kernels::Activation>(attrs.integer("activation"));
  return extras;
}

std::vector<TensorType> infer(const InferContext& context) {
  expect_float_inputs(context);
  const Shape data = planes_shape(context.attrs, context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  const ConvExtras extras = extras_of(context.attrs);
  if (extras.border) expect_shape(context, *extras.border, "border", Shape{data[1]}, "channels");
  if (extras.slopes) expect_shape(context, *extras.slopes, "slopes", Shape{p.filters}, "num_filter");
  return {{context.dtype(0), to_channels_last(with_spatial(data[0], p.filters, conv_output(p), p.rank))}};
}

/// What a kernel gets to compute.
struct Problem {
  kernels::ConvShape shape;
  kernels::Source source;
};

Problem problem_of(const LowerContext& context) {
  const bool planes = context.attrs().flag("planes");
  const Shape data = planes_shape(context.attrs(), context.input(0).shape);
  const ConvParams p = conv_params(context.attrs(), data);
  Problem problem{to_kernel_shape(p, data, context.threads()),
                  planes ? kernels::Source::channels_first : kernels::Source::channels_last};
  problem.shape.output = conv_output(p);
  return problem;
}

/// "1 x 64 x 56 x 56, 64 filters 3 x 3, pad 0 x 1 x 1"; a depth of 1 is not told.
std::string shape_text(const kernels::ConvShape& s) {
  const auto sizes = [](const kernels::Spatial& v) {
    return (v[0] == 1 ? "" : concat(v[0], " x ")) + concat(v[1], " x ", v[2]);
  };
  std::string text = concat(s.batch, " x ", s.channels, " x ", sizes(s.input), ", ", s.filters, " filters ",
                            sizes(s.kernel));
  if (s.stride != kernels::Spatial{1, 1, 1}) text += ", stride " + sizes(s.stride);
  if (s.pad != kernels::Spatial{0, 0, 0})
    text += concat(", pad ", s.pad[0], " x ", s.pad[1], " x ", s.pad[2]);
  if (s.dilate != kernels::Spatial{1, 1, 1}) text += ", dilate " + sizes(s.dilate);
  if (s.groups > 1) text += concat(", groups ", s.groups);
  return text;
}

Variants variants(const LowerContext& context) {
  Variants result;
  auto [shape, source] = problem_of(context);
  const auto candidates = kernels::conv_nhwc_candidates(shape, source, context.target());
  shape.wanted_tasks = 1;  // what the choice is by must not depend on the number of threads
  result.shape = shape_text(shape);
  if (source == kernels::Source::channels_first) result.shape += ", from planes";
  for (const kernels::ConvCandidate& candidate : candidates) {
    Variant variant{candidate.kernel->name, candidate.reason, {}, 0};
    if (candidate.kernel->work != nullptr) variant.work = candidate.kernel->work(shape);
    if (candidate.winograd_outputs > 0) {
      variant.bounded_bytes =
          static_cast<std::size_t>(candidate.kernel->packed_elements(shape)) * sizeof(float);
    }
    result.all.push_back(std::move(variant));
  }
  return result;
}

const kernels::ConvKernel& row_of(const LowerContext& context, const Problem& problem, std::string& reason) {
  if (context.variant() == nullptr) {
    const char* why = "";
    const kernels::ConvKernel& row =
        kernels::select_conv_nhwc(problem.shape, problem.source, context.target(), &why);
    reason = why;
    return row;
  }
  reason = context.variant()->reason;
  for (const auto& candidate :
       kernels::conv_nhwc_candidates(problem.shape, problem.source, context.target())) {
    if (candidate.kernel->name == context.variant()->kernel) return *candidate.kernel;
  }
  fail(ErrorCode::internal, "kernel ", context.variant()->kernel, " does not compute this shape");
}

Step lower(LowerContext& context) {
  const Problem problem = problem_of(context);
  std::string reason;
  const kernels::ConvKernel& row = row_of(context, problem, reason);
  ConvExtras extras = extras_of(context.attrs());
  extras.src_stride = context.input_row_stride();
  extras.dst_stride = context.row_stride();
  Step step = convolution_step(context, problem.shape, row, extras);
  step.kernel = concat(row.name, " [", kernels::to_string(context.target()), "]");
  step.reason += reason;
  return step;
}

}  // namespace

std::vector<OpDef> convolution_nhwc() {
  OpDef op;
  op.name = "_mxinfer_convolution_nhwc";
  op.summary =
      "Made by a pass: Convolution whose data and output are channels-last, (N, spatial..., C); with planes, "
      "data is channels-first. border holds what data is outside its bounds, for each channel; slopes, for "
      "each filter, what results are multiplied by where they are not positive; activation, a number of "
      "kernels::Activation.";
  op.attrs = conv_attr_specs(false);
  for (const char* flag : {"planes", "border", "slopes"}) op.attrs.push_back(graph::flag_attr(flag, false));
  op.attrs.push_back(graph::integer_attr("activation", 0).at_least(0).at_most(kLastActivation));
  op.inputs = ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.writes_rows_apart = true;
  op.reads_rows_apart = [](const Attrs& attrs, std::size_t) { return !attrs.flag("planes"); };
  op.infer = infer;
  op.lower = lower;
  op.variants = variants;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
