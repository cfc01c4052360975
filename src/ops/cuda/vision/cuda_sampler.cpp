// GridGenerator, BilinearSampler and SpatialTransformer: images read at places that a network computes.
// Correlation: which places of two images are alike.
#include "kernels/sampler/sampler_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

using kernels::cuda::SampledImages;

Step grid_step(LowerContext& context, const device::CudaDevice& device) {
  const bool affine = context.attrs().choice("transform_type") == "affine";
  const auto& library = device.kernels();
  const auto launcher = affine ? library.affine_grid : library.warp_grid;
  Step step{.kernel = affine ? "affine_grid" : "warp_grid", .reason = "a thread for each place"};
  step.run = [launcher, out = context.output(0).shape](const RunContext& run) {
    enqueue(run, launcher, run.input<float>(0), run.output<float>(0), out[0], out[2], out[3]);
  };
  return step;
}

Step sampler_step(LowerContext& context, const device::CudaDevice& device, bool affine) {
  const Shape &data = context.input(0).shape, &out = context.output(0).shape;
  const SampledImages args{.batch = data[0],
                           .channels = data[1],
                           .height = data[2],
                           .width = data[3],
                           .out_height = out[2],
                           .out_width = out[3],
                           .type = data_type(context)};
  Step step{.kernel = of_data_type("bilinear_sampler", context)};
  step.reason =
      affine ? "places of an affine grid, which is not stored" : "a thread for four channels of a place";
  step.flops = 8.0 * static_cast<double>(out.elements());
  step.run = [=, sampler = device.kernels().bilinear_sampler](const RunContext& run) {
    SampledImages now = args;
    now.src = run.inputs[0];
    (affine ? now.theta : now.grid) = run.input<float>(1);
    now.dst = run.outputs[0];
    enqueue(run, sampler, now);
  };
  return step;
}

Step sampler_on_device(LowerContext& context, const device::CudaDevice& device) {
  return sampler_step(context, device, false);
}

Step transformer_on_device(LowerContext& context, const device::CudaDevice& device) {
  return sampler_step(context, device, true);
}

Step correlation_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Shape& data = context.input(0).shape;
  const kernels::CorrelationShape shape = correlation_shape(context.attrs(), data);
  Step step{.kernel = of_data_type("correlation", context)};
  step.reason = concat(shape.side() * shape.side(), " displacements, four of a row in a thread");
  step.flops = 2.0 * static_cast<double>(context.output(0).shape.elements()) *
               static_cast<double>(shape.kernel * shape.kernel * shape.channels);
  step.run = [=, batch = data[0], type = data_type(context),
              correlation = device.kernels().correlation](const RunContext& run) {
    enqueue(run, correlation, shape, batch, type, run.inputs[0], run.inputs[1], run.outputs[0]);
  };
  return step;
}

Implementations correlating(const OpProblem& node, const device::CudaDevice& device) {
  if (arithmetic_type(node.input(0)) != DType::float32 || !all_of_type(node, node.input(0).dtype))
    return rejected("correlation", not_all_of_type(DType::float32));
  return only(of_data_type("correlation", node), correlation_on_device, device);
}

}  // namespace

std::vector<CudaOp> cuda_sampler_ops() {
  return {
      {"GridGenerator", float32_kernel("grid", grid_step)},
      with_halves({"BilinearSampler", float_kernel("bilinear_sampler", sampler_on_device)},
                  HalfForm::one_type, reads_first),
      with_halves({"SpatialTransformer", float_kernel("bilinear_sampler", transformer_on_device)},
                  HalfForm::one_type, reads_first),
      with_halves({"Correlation", correlating}, HalfForm::one_type),
  };
}

}  // namespace mxinfer::ops
