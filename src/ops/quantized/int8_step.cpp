#include "ops/quantized/int8_step.h"

#include "ops/nn/convolution/convolution_step.h"
#include "ops/quantized/fused_subgraph.h"
#include "ops/quantized/int8_attrs.h"
#include "ops/quantized/ranges.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvProblem;
using kernels::Int8ConvArgs;

/// The weights as the implementation reads them; null if it reads them as they are stored.
const std::int8_t* packed_weight(LowerContext& context, const ConvProblem& problem,
                                 const kernels::Int8ConvImpl& impl) {
  if (!context.is_constant(1)) {
    fail(ErrorCode::unsupported,
         "weight is computed; expected a parameter of the model, which is packed once");
  }
  if (impl.packing == nullptr) return nullptr;
  const kernels::Int8Type data = int8_type(context.input(0).dtype);
  const auto pack = [problem, data, &impl](const TensorView& weight, std::byte* dst) {
    impl.pack(problem, data, weight.data<std::int8_t>(), dst);
  };
  const std::string packing =
      concat(impl.packing, " groups=", problem.groups, " of ", to_string(context.input(0).dtype));
  return reinterpret_cast<const std::int8_t*>(
      context.packed(1, packing, impl.packed_bytes(problem, data), pack));
}

}  // namespace

Int8Tasks::Int8Tasks(const LowerContext& context, const ConvProblem& problem, kernels::Int8Type data,
                     Step& step)
    : impl(&kernels::select_int8_conv(problem, data, context.target())), tasks(impl->tasks(problem)) {
  const bool plain = impl == &kernels::int8_conv_ref();
  step.kernel = labelled(impl->name, plain ? kernels::Target::ref : context.target());
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(problem.depth());
  step.thread_scratch_bytes = impl->scratch_bytes(problem);
  grain = grain_of(tasks, step.flops);
}

void Int8Tasks::run(const RunContext& run, const Int8ConvArgs& args) const {
  parallel_for(tasks, grain,
               [&](std::int64_t begin, std::int64_t end) { impl->run(args, begin, end, run.my_scratch()); });
}

Int8Values int8_values(const OpProblem& node, const ConvProblem& problem,
                       std::optional<std::size_t> residual) {
  const Attrs& attrs = node.attrs();
  Int8Values values{.residual = residual};
  Int8ConvArgs& args = values.args;
  args.problem = problem;
  args.src_type = int8_type(node.input(0).dtype);
  args.before = activation_of(attrs, "before");
  args.dst_factor = finite_attr(attrs, "dst_factor");
  args.dst_type = int8_type(node.output(0).dtype);
  if (!attrs.flag("no_bias")) values.bias = 3;
  if (residual) {
    args.after = activation_of(attrs, "after");
    args.residual_scale = finite_attr(attrs, "residual_scale");
    args.residual_type = int8_type(node.input(*residual).dtype);
  }
  return values;
}

Step int8_values_step(LowerContext& context, const Int8Values& values) {
  Step step;
  Int8ConvArgs args = values.args;
  const Int8Tasks tasks(context, args.problem, args.src_type, step);
  args.weight = packed_weight(context, args.problem, *tasks.impl);
  step.reason = tasks.impl->packing != nullptr ? "int8 weights, packed once" : "int8 weights, as stored";
  step.run = [args, tasks, bias = values.bias, residual = values.residual](const RunContext& run) {
    Int8ConvArgs now = args;
    now.src = run.inputs[0];
    if (now.weight == nullptr) now.weight = run.input<std::int8_t>(1);
    now.scale = run.input<float>(2);
    if (bias) now.bias = run.input<std::int32_t>(*bias);
    if (residual) now.residual = run.inputs[*residual];
    now.dst = run.outputs[0];
    tasks.run(run, now);
  };
  return step;
}

}  // namespace mxinfer::ops
