// Elements written by index: scatter_nd, _scatter_set_nd, _contrib_index_copy, fill_element_0index,
// _onehot_encode.
#include <cstring>

#include "kernels/elementwise/cast.h"
#include "kernels/scatter/scatter_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/kernel_args.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

// Indices that are parameters are checked when the plan is made.
void require_scattered_fits(const LowerContext& context, std::size_t input,
                            const kernels::ScatterArgs& args) {
  const Tensor& given = *context.constant(input);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(given.elements()));
  kernels::select_cast(element_type(given.dtype()), kernels::ElementType::int64)(given.raw(), indices.data(),
                                                                                 given.elements());
  require_scatter_fits(args, indices.data());
}

Step scatter_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Scattering scattering = scattering_of(context.node().op->name);
  const kernels::ScatterArgs args = scatter_args(context, scattering);
  if (context.is_constant(scattering.indices)) require_scattered_fits(context, scattering.indices, args);
  const std::int64_t rows = args.size[0] * args.stride[0];
  if (scattering.base) context.may_overwrite(0, *scattering.base);
  Step step{.kernel = "scatter", .reason = "the last index of each row is found, then rows are moved"};
  step.scratch_bytes = cuda::scatter_scratch(rows);
  step.run = [=, type = index_type(context, scattering.indices),
              scatter = device.kernels().scatter](const RunContext& run) {
    const cuda::IndexArray indices{run.inputs[scattering.indices], type};
    const void* base = scattering.base ? run.inputs[*scattering.base] : nullptr;
    enqueue(run, scatter, args, rows, indices, base, run.inputs[scattering.rows], run.outputs[0],
            run.scratch);
  };
  return step;
}

Implementations scattered(const OpProblem& node, const device::CudaDevice& device) {
  const Scattering scattering = scattering_of(node.node().op->name);
  if (!has_index_type(node, scattering.indices))
    return rejected("scatter", no_index_type(node, scattering.indices));
  // An output with such an index is NaN, which only floats have.
  if (!node.is_constant(scattering.indices) && !is_float(node.output(0).dtype)) {
    return rejected("scatter", concat("indices are computed and data is ", to_string(node.output(0).dtype),
                                      ": a GPU does not report an index that is out of range"));
  }
  if (scatter_args(node, scattering).count > cuda::kMostScattered)
    return rejected("scatter", concat("more than ", cuda::kMostScattered, " indices"));
  return only("scatter", scatter_on_device, device);
}

bool reads_rows_and_base(const graph::Node& node, std::size_t input) {
  return input != scattering_of(node.op->name).indices;
}

Step fill_element_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Shape& out = context.output(0).shape;
  context.may_overwrite(0, 0);
  Step step{.kernel = "fill_element", .reason = "a thread for each element"};
  step.run = [=, type = index_type(context, 2), fill = device.kernels().fill_element](const RunContext& run) {
    enqueue(run, fill, out[0], out[1], cuda::IndexArray{run.inputs[2], type}, run.input<float>(1),
            run.input<float>(0), run.output<float>(0));
  };
  return step;
}

Step onehot_encode_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Shape& out = context.output(0).shape;
  kernels::OneHotArgs args{.depth = out[1], .element_bytes = sizeof(float)};
  const float one = 1;
  std::memcpy(args.on, &one, sizeof(one));
  Step step{.kernel = "one_hot"};
  step.run = [=, type = index_type(context, 0), one_hot = device.kernels().one_hot](const RunContext& run) {
    enqueue(run, one_hot, args, out[0], cuda::IndexArray{run.inputs[0], type}, run.outputs[0]);
  };
  return step;
}

}  // namespace

std::vector<CudaOp> cuda_scatter_ops() {
  std::vector<CudaOp> ops{{"fill_element_0index", float32_kernel("fill_element", fill_element_on_device)},
                          {"_onehot_encode", float32_kernel("one_hot", onehot_encode_on_device)}};
  for (const char* name : {"scatter_nd", "_scatter_set_nd", "_contrib_index_copy"})
    ops.push_back(with_halves({name, scattered}, HalfForm::moves, reads_rows_and_base));
  return ops;
}

}  // namespace mxinfer::ops
