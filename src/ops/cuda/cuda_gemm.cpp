#include "ops/cuda/cuda_gemm.h"

#include "base/fail.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

std::string why_this(const cuda::GemmPlan& plan) {
  const std::string pieces =
      plan.splits > 1 ? concat(", the depth in ", plan.splits, " pieces, which keep all multiprocessors busy")
                      : "";
  switch (plan.kernel) {
    case cuda::GemmKernel::vector_depth:
    case cuda::GemmKernel::vector_rows:
      return concat("one side has at most 4 rows: reading the other dominates the cost", pieces);
    default:
      return concat("the tile of the least estimated time", pieces);
  }
}

Step gemm_step(const CudaGemm& gemm, const cuda::GemmPlan& plan, const device::CudaDevice& device) {
  const cuda::GemmArgs& args = gemm.args;
  Step step;
  step.kernel = cuda::name_of(plan, args.precision);
  step.reason = why_this(plan);
  step.scratch_bytes = plan.scratch_bytes;
  step.flops = 2.0 * static_cast<double>(args.rows) * static_cast<double>(args.columns) *
               static_cast<double>(args.depth) * static_cast<double>(args.matrices());
  step.run = [gemm, plan, launcher = device.kernels().gemm](const RunContext& run) {
    cuda::GemmArgs a = gemm.args;
    a.a.data = run.input<float>(gemm.a) + gemm.a_offset;
    a.b.data = run.input<float>(gemm.b) + gemm.b_offset;
    if (gemm.bias) a.bias = run.input<float>(*gemm.bias);
    if (gemm.residual) a.residual = run.input<float>(*gemm.residual);
    a.dst = run.output<float>(0);
    enqueue(run, launcher, a, plan, reinterpret_cast<float*>(run.scratch));
  };
  return step;
}

}  // namespace

cuda::GemmGpu gemm_gpu(const device::CudaDevice& device) {
  return {device.properties().multiprocessors, device.properties().shared_bytes};
}

void set_dense_output(cuda::GemmArgs& args) {
  args.dst_column = 1;
  args.dst_row = args.columns;
  args.dst_inner = args.rows * args.columns;
  args.dst_outer = args.inner * args.dst_inner;
}

Implementations cuda_gemm(const CudaGemm& product, kernels::Precision precision,
                          const device::CudaDevice& device) {
  CudaGemm gemm = product;
  gemm.args.precision = precision;
  const cuda::GemmPlan plan = cuda::plan_gemm(gemm.args, gemm_gpu(device));
  return only(cuda::name_of(plan, precision),
              [gemm, plan, &device](LowerContext&) { return gemm_step(gemm, plan, device); });
}

}  // namespace mxinfer::ops
