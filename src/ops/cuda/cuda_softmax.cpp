#include "base/fail.h"
#include "ops/cuda/cuda_op.h"
#include "ops/nn/softmax_lines.h"

namespace mxinfer::ops {
namespace {

Step softmax_step(LowerContext& context, const SoftmaxLines& lines, const device::CudaDevice& device) {
  const std::int64_t elements = context.output(0).shape.elements();
  const std::int64_t count = elements / lines.args.axis;
  context.may_overwrite(0, 0);
  Step step;
  step.kernel = "softmax_f32";
  step.reason = concat(count, " lines of ", lines.args.axis, ", ", lines.args.inner, " side by side");
  step.flops = 5.0 * static_cast<double>(elements);
  step.run = [=, &device](const RunContext& run) {
    enqueue(run, device.kernels().softmax, lines.args, count, run.input<float>(0), run.output<float>(0),
            lines.has_lengths ? run.inputs[1] : nullptr);
  };
  return step;
}

Implementations softmax_implementations(const OpProblem& node, const device::CudaDevice& device) {
  constexpr const char* kName = "softmax_f32";
  if (node.input(0).dtype != DType::float32 || node.output(0).dtype != DType::float32)
    return rejected(kName, concat("from ", to_string(node.input(0).dtype), " to ",
                                  to_string(node.output(0).dtype), ", not float32"));
  return only(kName, [lines = softmax_lines(node), &device](LowerContext& context) {
    return softmax_step(context, lines, device);
  });
}

}  // namespace

std::vector<CudaOp> cuda_softmax_ops() {
  std::vector<CudaOp> ops;
  for (const char* name : {"softmax", "log_softmax", "softmin", "SoftmaxActivation", "SoftmaxOutput"})
    ops.push_back({name, softmax_implementations});
  return ops;
}

}  // namespace mxinfer::ops
