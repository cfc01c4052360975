// Elements by index: take, Embedding, pick, batch_take, gather_nd, one_hot.
#include "base/fail.h"
#include "kernels/elementwise/cast.h"
#include "ops/common/axes.h"
#include "ops/cuda/cuda_index_input.h"
#include "ops/cuda/cuda_op.h"
#include "ops/tensor/indexing/take_args.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

using kernels::ElementType;
using kernels::cuda::IndexArray;

Step moving_step(const char* kernel) {
  Step step;
  step.kernel = kernel;
  step.reason = "moves elements only";
  return step;
}

// take and Embedding

Step take_on_device(LowerContext& context, const device::CudaDevice& device, std::size_t data,
                    std::size_t indices, std::size_t axis, kernels::IndexMode mode) {
  const TensorType& from = context.input(data);
  const std::int64_t count = context.input(indices).shape.elements();
  Step step = moving_step("take");
  step.run = [=, args = take_args(from, axis, count, mode), outer = from.shape.elements(0, axis),
              type = index_type(context, indices), take = device.kernels().take](const RunContext& run) {
    const IndexArray index{run.inputs[indices], type};
    enqueue(run, take, args, outer, index, run.inputs[data], run.outputs[0]);
  };
  return step;
}

Implementations take_rows(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 1)) return rejected("gather", no_index_type(node, 1));
  if (node.attrs().choice("mode") == "raise")
    return rejected("take", "mode=raise: a GPU does not report an index that is out of range");
  return only("take", [&device](LowerContext& context) {
    const std::size_t axis =
        resolve_axis("axis", context.attrs().integer("axis"), context.input(0).shape.rank());
    return take_on_device(context, device, 0, 1, axis, take_mode(context.attrs()));
  });
}

Implementations embedding(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 0)) return rejected("gather", no_index_type(node, 0));
  return only("take", [&device](LowerContext& context) {
    return take_on_device(context, device, 1, 0, 0, kernels::IndexMode::clip);
  });
}

// pick and batch_take

Step pick_on_device(LowerContext& context, const device::CudaDevice& device, const kernels::PickArgs& args) {
  Step step = moving_step("pick");
  step.run = [=, rows = context.input(1).shape.elements(), type = index_type(context, 1),
              pick = device.kernels().pick](const RunContext& run) {
    enqueue(run, pick, args, rows, false, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

using PickArgsFn = kernels::PickArgs (*)(const OpProblem&);

template <PickArgsFn kArgs>
Implementations picked(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 1)) return rejected("gather", no_index_type(node, 1));
  return only("pick",
              [&device](LowerContext& context) { return pick_on_device(context, device, kArgs(context)); });
}

// gather_nd

// Indices that are parameters are checked when the plan is made.
void require_parameter_fits(const LowerContext& context, const kernels::GatherArgs& args) {
  const Tensor& given = *context.constant(1);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(given.elements()));
  kernels::select_cast(static_cast<ElementType>(given.dtype()), ElementType::int64)(
      given.raw(), indices.data(), given.elements());
  require_gather_fits(args, indices.data());
}

Step gather_on_device(LowerContext& context, const device::CudaDevice& device) {
  const kernels::GatherArgs args = gather_args(context);
  if (context.is_constant(1)) require_parameter_fits(context, args);
  Step step = moving_step("gather");
  step.run = [=, type = index_type(context, 1), gather = device.kernels().gather](const RunContext& run) {
    enqueue(run, gather, args, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations gathered(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 1)) return rejected("gather", no_index_type(node, 1));
  // The rows of such indices are NaN, which only floats have.
  if (!node.is_constant(1) && !is_float(node.input(0).dtype)) {
    return rejected("gather", concat("indices are computed and data is ", to_string(node.input(0).dtype),
                                     ": a GPU does not report an index that is out of range"));
  }
  return only("gather", [&device](LowerContext& context) { return gather_on_device(context, device); });
}

// one_hot

Step one_hot_on_device(LowerContext& context, const device::CudaDevice& device) {
  Step step;
  step.kernel = "one_hot";
  step.run = [args = one_hot_args(context), rows = context.input(0).shape.elements(),
              type = index_type(context, 0), one_hot = device.kernels().one_hot](const RunContext& run) {
    enqueue(run, one_hot, args, rows, IndexArray{run.inputs[0], type}, run.outputs[0]);
  };
  return step;
}

Implementations one_hot_rows(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 0)) return rejected("gather", no_index_type(node, 0));
  return only("one_hot", [&device](LowerContext& context) { return one_hot_on_device(context, device); });
}

}  // namespace

std::vector<CudaOp> cuda_gather_ops() {
  return {{"take", take_rows},         {"Embedding", embedding},
          {"pick", picked<pick_args>}, {"batch_take", picked<batch_take_args>},
          {"gather_nd", gathered},     {"one_hot", one_hot_rows}};
}

}  // namespace mxinfer::ops
