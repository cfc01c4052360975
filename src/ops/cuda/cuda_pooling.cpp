// Pooling in all its layouts, and adaptive average pooling.
#include <algorithm>

#include "ops/cuda/cuda_op.h"
#include "ops/nn/pooling.h"

namespace mxinfer::ops {
namespace {

Step pool_step(const kernels::PoolArgs& args, const device::CudaDevice& device) {
  std::int64_t window = 1;
  for (int d = 0; d < 3; ++d) window *= std::min(args.kernel[d], args.in[d]);
  Step step;
  step.kernel = args.inner > 1 ? "pool_channels_f32" : "pool_planes_f32";
  step.flops = static_cast<double>(args.planes * args.out_plane()) * static_cast<double>(window);
  step.run = [args, pool = device.kernels().pool](const RunContext& run) {
    enqueue(run, pool, args, run.input<float>(0), run.output<float>(0));
  };
  return step;
}

template <bool kV1>
Implementations pooling(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("pool", not_all_of_type(DType::float32));
  return only("pool", [&device](LowerContext& context) {
    kernels::PoolArgs args = pool_args(context.attrs(), context.input(0), kV1);
    args.src_stride = context.input(0).row_stride;
    args.dst_stride = context.output(0).row_stride;
    return pool_step(args, device);
  });
}

Step adaptive_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  if (in[2] % out[2] == 0 && in[3] % out[3] == 0) return pool_step(even_pool_args(in, out), device);
  kernels::AdaptivePoolArgs<float> args{in[2], in[3], out[2], out[3], nullptr, nullptr};
  Step step;
  step.kernel = "adaptive_avg_pool_f32";
  step.reason = "windows overlap: the sizes do not divide";
  step.run = [args, planes = in[0] * in[1],
              pool = device.kernels().adaptive_avg_pool](const RunContext& run) {
    kernels::AdaptivePoolArgs<float> now = args;
    now.src = run.input<float>(0);
    now.dst = run.output<float>(0);
    enqueue(run, pool, now, planes);
  };
  return step;
}

Implementations adaptive_pooling(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("pool", not_all_of_type(DType::float32));
  return only("pool", [&device](LowerContext& context) { return adaptive_step(context, device); });
}

}  // namespace

std::vector<CudaOp> cuda_pooling_ops() {
  return {{"Pooling", pooling<false>, strided_input_as_on_cpu, strided_output_as_on_cpu},
          {"Pooling_v1", pooling<true>},
          {"_contrib_AdaptiveAvgPooling2D", adaptive_pooling}};
}

}  // namespace mxinfer::ops
