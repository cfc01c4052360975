// Reductions over axes, moments, argmax, argmin and running sums.
#include <limits>

#include "kernels/scan/cumulative_sum.h"
#include "ops/common/axes.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/elementwise.h"
#include "ops/numpy/algebra/norm.h"
#include "ops/numpy/statistics/reductions.h"

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
  Step step{.kernel = concat("reduce_", function, "_", to_string(in.dtype))};
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

Implementations reduce_as(const Reduction& reduction, const OpProblem& node,
                          const device::CudaDevice& device) {
  const DType dtype = node.input(0).dtype, result = node.output(0).dtype;
  if (arithmetic_type(node.output(0)) != arithmetic_type(node.input(0)))
    return rejected("reduce", concat("results are ", to_string(result), ", and elements ", to_string(dtype)));
  const auto op = reduce_op(reduction.function, arithmetic_type(node.input(0)));
  if (!op) return rejected("reduce", concat("the GPU has no ", reduction.function, " of ", to_string(dtype)));
  kernels::cuda::ReduceCudaArgs args{.shape = reduction.shape, .op = *op, .type = element_type(dtype)};
  args.out = element_type(result);
  args.splits = kernels::cuda::reduce_splits(args.shape);
  return only("reduce", [args, function = reduction.function, &device](LowerContext& context) {
    return reduce_step(context, args, function, device);
  });
}

Implementations reduce_implementations(const OpProblem& node, const device::CudaDevice& device) {
  return reduce_as(reduction_of(node), node, device);
}

/// NumPy's results of no elements are not those of the kernel.
Implementations numpy_reduce_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (node.input(0).shape.elements() == 0) return rejected("reduce", "there are no elements");
  return reduce_as(numpy_reduction_of(node), node, device);
}

Implementations numpy_norm_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const std::optional<Reduction> reduction = euclidean_norm_of(node);
  if (!reduction) return rejected("reduce", "it is not the root of the sum of squares");
  return reduce_as(*reduction, node, device);
}

/// The mean is not an output.
Step variance_step(LowerContext& context, const device::CudaDevice& device) {
  Step step{.kernel = "moments_f32", .reason = "two passes"};
  step.flops = 4.0 * static_cast<double>(context.input(0).shape.elements());
  step.scratch_bytes = bytes_of(context.output(0));
  step.run = [shape = variance_shape(context), &device](const RunContext& run) {
    enqueue(run, device.kernels().moments, shape, run.input<float>(0), reinterpret_cast<float*>(run.scratch),
            run.output<float>(0));
  };
  return step;
}

Implementations variance_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("moments_f32", not_all_of_type(DType::float32));
  if (node.attrs().integer("ddof") != 0 || node.input(0).shape.elements() == 0)
    return rejected("moments_f32", "the sum is divided by another number than that of elements");
  return only("moments_f32", variance_step, device);
}

Step moments_step(LowerContext& context, const device::CudaDevice& device) {
  Step step{.kernel = "moments_f32", .reason = "two passes"};
  step.flops = 4.0 * static_cast<double>(context.input(0).shape.elements());
  step.run = [shape = moment_shape(context), &device](const RunContext& run) {
    enqueue(run, device.kernels().moments, shape, run.input<float>(0), run.output<float>(0),
            run.output<float>(1));
  };
  return step;
}

Step arg_step(LowerContext& context, const kernels::cuda::ArgReduceCudaArgs& args,
              const device::CudaDevice& device) {
  Step step{.kernel = concat(args.largest ? "argmax_" : "argmin_", to_string(context.input(0).dtype))};
  step.reason = concat(args.lines, " lines of ", args.axis);
  step.flops = static_cast<double>(context.input(0).shape.elements());
  step.run = [args, &device](const RunContext& run) {
    enqueue(run, device.kernels().arg_reduce, args, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations arg_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const DType dtype = node.input(0).dtype;
  const bool positions = node.output(0).dtype == DType::int64;
  const ArgLines lines = positions ? numpy_arg_lines(node) : arg_lines(node);
  if (dtype != DType::float32 && dtype != DType::int32)
    return rejected("arg_reduce", concat("its input is ", to_string(dtype), ", neither float32 nor int32"));
  if (lines.size > std::numeric_limits<std::int32_t>::max())
    return rejected("arg_reduce", "lines of more than 2^31 elements");
  kernels::cuda::ArgReduceCudaArgs args{.lines = lines.count, .axis = lines.size, .inner = lines.inner};
  args.largest = lines.largest;
  args.type = element_type(dtype);
  args.to_int64 = positions;
  return only("arg_reduce",
              [args, &device](LowerContext& context) { return arg_step(context, args, device); });
}

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
  Step step{.kernel = "cumulative_sum"};
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
  return only("cumulative_sum", cumsum_on_device, device);
}

}  // namespace

std::vector<CudaOp> cuda_reduce_ops() {
  std::vector<CudaOp> ops{{"moments", float32_kernel("moments_f32", moments_step)},
                          {"argmax", arg_implementations},
                          {"argmin", arg_implementations},
                          {"argmax_channel", arg_implementations},
                          {"_npi_argmax", arg_implementations},
                          {"_npi_argmin", arg_implementations},
                          {"_npi_var", variance_implementations}};
  for (const std::string& name : reduction_names())
    ops.push_back(with_halves({name, reduce_implementations}, HalfForm::any_type));
  for (const std::string& name : numpy_reduction_names())
    ops.push_back(with_halves({name, numpy_reduce_implementations}, HalfForm::any_type));
  ops.push_back(with_halves({"_npi_norm", numpy_norm_implementations}, HalfForm::any_type));
  return ops;
}

std::vector<CudaOp> cuda_cumsum_ops() {
  return {{"_np_cumsum", cumsum}};
}

}  // namespace mxinfer::ops
