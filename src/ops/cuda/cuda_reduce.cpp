// Reductions over axes, moments, argmax and argmin.
#include <limits>
#include <optional>

#include "base/fail.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/indexing/arg_lines.h"
#include "ops/tensor/moment_shape.h"
#include "ops/tensor/reduction.h"

namespace mxinfer::ops {
namespace {

using kernels::cuda::ReduceOp;

struct NamedReduceOp {
  const char* name;
  ReduceOp op;
  bool of_integers;
};

constexpr NamedReduceOp kReduceOps[] = {
    {"sum", ReduceOp::sum, true},          {"mean", ReduceOp::mean, true},
    {"nansum", ReduceOp::nansum, false},   {"prod", ReduceOp::prod, true},
    {"nanprod", ReduceOp::nanprod, false}, {"max", ReduceOp::max, true},
    {"min", ReduceOp::min, true},          {"norm1", ReduceOp::norm1, false},
    {"norm2", ReduceOp::norm2, false},     {"squares", ReduceOp::squares, false},
};

std::optional<ReduceOp> reduce_op(const std::string& function, DType dtype) {
  const bool is_integer = dtype == DType::int32 || dtype == DType::int64;
  for (const NamedReduceOp& entry : kReduceOps) {
    if (function != entry.name) continue;
    if (dtype == DType::float32 || (is_integer && entry.of_integers)) return entry.op;
  }
  return std::nullopt;
}

Step reduce_step(LowerContext& context, const kernels::cuda::ReduceCudaArgs& args,
                 const std::string& function, const device::CudaDevice& device) {
  const TensorType& in = context.input(0);
  Step step;
  step.kernel = concat("reduce_", function, "_", to_string(in.dtype));
  step.reason = concat(args.shape.kept.elements(), " results of ", args.shape.reduced.elements(),
                       " elements each", args.splits > 1 ? concat(", in ", args.splits, " parts") : "");
  step.flops = static_cast<double>(in.shape.elements());
  step.scratch_bytes = kernels::cuda::reduce_scratch_bytes(args);
  step.run = [=, &device](const RunContext& run) {
    enqueue(run, device.kernels().reduce, args, run.inputs[0], run.outputs[0],
            static_cast<void*>(run.scratch));
  };
  return step;
}

Implementations reduce_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const DType dtype = node.input(0).dtype;
  const Reduction reduction = reduction_of(node);
  if (const DType result = node.output(0).dtype; result != dtype)
    return rejected("reduce", concat("results are ", to_string(result), ", and elements ", to_string(dtype)));
  const auto op = reduce_op(reduction.function, dtype);
  if (!op) return rejected("reduce", concat("the GPU has no ", reduction.function, " of ", to_string(dtype)));
  kernels::cuda::ReduceCudaArgs args;
  args.shape = reduction.shape;
  args.op = *op;
  args.type = element_type(dtype);
  args.splits = kernels::cuda::reduce_splits(args.shape);
  return only("reduce", [args, function = reduction.function, &device](LowerContext& context) {
    return reduce_step(context, args, function, device);
  });
}

Step moments_step(LowerContext& context, const kernels::ReduceShape& shape,
                  const device::CudaDevice& device) {
  Step step;
  step.kernel = "moments_f32";
  step.reason = "two passes";
  step.flops = 4.0 * static_cast<double>(context.input(0).shape.elements());
  step.run = [shape, &device](const RunContext& run) {
    enqueue(run, device.kernels().moments, shape, run.input<float>(0), run.output<float>(0),
            run.output<float>(1));
  };
  return step;
}

Implementations moments_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("moments_f32", not_all_of_type(DType::float32));
  return only("moments_f32", [shape = moment_shape(node), &device](LowerContext& context) {
    return moments_step(context, shape, device);
  });
}

Step arg_step(LowerContext& context, const kernels::cuda::ArgReduceCudaArgs& args,
              const device::CudaDevice& device) {
  Step step;
  step.kernel = concat(args.largest ? "argmax_" : "argmin_", to_string(context.input(0).dtype));
  step.reason = concat(args.lines, " lines of ", args.axis);
  step.flops = static_cast<double>(context.input(0).shape.elements());
  step.run = [args, &device](const RunContext& run) {
    enqueue(run, device.kernels().arg_reduce, args, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations arg_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const DType dtype = node.input(0).dtype;
  const ArgLines lines = arg_lines(node);
  if (dtype != DType::float32 && dtype != DType::int32)
    return rejected("arg_reduce", concat("its input is ", to_string(dtype), ", neither float32 nor int32"));
  if (lines.size > std::numeric_limits<std::int32_t>::max())
    return rejected("arg_reduce", "lines of more than 2^31 elements");
  kernels::cuda::ArgReduceCudaArgs args;
  args.lines = lines.count;
  args.axis = lines.size;
  args.inner = lines.inner;
  args.largest = lines.largest;
  args.type = element_type(dtype);
  return only("arg_reduce",
              [args, &device](LowerContext& context) { return arg_step(context, args, device); });
}

}  // namespace

std::vector<CudaOp> cuda_reduce_ops() {
  std::vector<CudaOp> ops{{"moments", moments_implementations},
                          {"argmax", arg_implementations},
                          {"argmin", arg_implementations},
                          {"argmax_channel", arg_implementations}};
  for (const std::string& name : reduction_names()) ops.push_back({name, reduce_implementations});
  return ops;
}

}  // namespace mxinfer::ops
