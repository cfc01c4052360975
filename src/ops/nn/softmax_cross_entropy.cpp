// softmax_cross_entropy: a loss, whose labels are an input like any other.
#include "base/fail.h"
#include "kernels/softmax/cross_entropy.h"
#include "ops/common/float_dispatch.h"
#include "ops/common/indices.h"

namespace mxinfer::ops {
namespace {

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
  Step step;
  step.scratch_bytes = label.scratch_bytes();
  step.flops = 3.0 * static_cast<double>(rows * columns);
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

std::vector<OpDef> softmax_cross_entropy_ops() {
  OpDef op;
  op.name = "softmax_cross_entropy";
  op.summary =
      "-(the sum over the batch of log(max(softmax(data)[label], 1e-8))); a label that is not a class is an "
      "error.";
  op.inputs = [](const Attrs&) { return PortNames{{"data", "label"}}; };
  op.infer = infer_cross_entropy;
  op.lower = lower_cross_entropy;
  return {op};
}

}  // namespace mxinfer::ops
