// Running sums.
#include "base/fail.h"
#include "kernels/scan/cumulative_sum.h"
#include "ops/common/axes.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

Step cumsum_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Shape& shape = context.input(0).shape;
  kernels::CumulativeSumArgs args;
  args.length = shape.elements();
  std::int64_t lines = 1;
  if (context.attrs().has("axis")) {
    const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), shape.rank());
    args.length = shape[axis];
    args.inner = shape.elements(axis + 1, shape.rank());
    lines = shape.elements(0, axis) * args.inner;
  }
  context.may_overwrite(0, 0);
  Step step;
  step.kernel = "cumulative_sum";
  step.reason = concat(lines, " lines of ", args.length, " elements, one after another");
  step.flops = static_cast<double>(shape.elements());
  step.run = [=, type = element_type(context.input(0).dtype),
              sum = device.kernels().cumulative_sum](const RunContext& run) {
    kernels::CumulativeSumArgs now = args;
    now.src = run.inputs[0];
    now.dst = run.outputs[0];
    enqueue(run, sum, now, type, lines);
  };
  return step;
}

Implementations cumsum(const OpProblem& node, const device::CudaDevice& device) {
  const DType dtype = node.input(0).dtype;
  const bool known = dtype == DType::float32 || dtype == DType::int32 || dtype == DType::int64;
  if (!known || node.output(0).dtype != dtype)
    return rejected("cumulative_sum", "input and output are not both float32, int32 or int64");
  return only("cumulative_sum",
              [&device](LowerContext& context) { return cumsum_on_device(context, device); });
}

}  // namespace

std::vector<CudaOp> cuda_cumsum_ops() {
  return {{"_np_cumsum", cumsum}};
}

}  // namespace mxinfer::ops
