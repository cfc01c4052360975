// GridGenerator, BilinearSampler and SpatialTransformer: images read at places that a network computes.
#include "kernels/sampler/sampler_cuda.h"
#include "ops/cuda/cuda_op.h"

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

}  // namespace

std::vector<CudaOp> cuda_sampler_ops() {
  return {
      {"GridGenerator", float32_kernel("grid", grid_step)},
      with_halves({"BilinearSampler", float_kernel("bilinear_sampler", sampler_on_device)},
                  HalfForm::one_type, reads_first),
      with_halves({"SpatialTransformer", float_kernel("bilinear_sampler", transformer_on_device)},
                  HalfForm::one_type, reads_first),
  };
}

}  // namespace mxinfer::ops
