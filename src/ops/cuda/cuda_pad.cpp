// Pad.
#include "ops/cuda/cuda_op.h"
#include "ops/tensor/pad_args.h"

namespace mxinfer::ops {
namespace {

Step pad_on_device(LowerContext& context, const device::CudaDevice& device) {
  Step step;
  step.kernel = "pad";
  step.reason = "moves elements only";
  step.run = [args = pad_args(context), element = size_of(context.input(0).dtype),
              pad = device.kernels().pad](const RunContext& run) {
    enqueue(run, pad, args, element, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations padding(const OpProblem&, const device::CudaDevice& device) {
  return only("pad", [&device](LowerContext& context) { return pad_on_device(context, device); });
}

}  // namespace

std::vector<CudaOp> cuda_pad_ops() {
  return {{"Pad", padding}};
}

}  // namespace mxinfer::ops
