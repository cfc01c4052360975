// ROIPooling, ROIAlign, PSROIPooling.
#include "base/fail.h"
#include "kernels/roi/roi_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/vision/roi_inputs.h"

namespace mxinfer::ops {
namespace {

// An implementation by a launcher, of args_of(node).
template <typename Args>
Implementations region_implementations(const char* kernel, const OpProblem& node,
                                       Args (*args_of)(const OpProblem&),
                                       kernels::cuda::Status (*launcher)(const Args&, std::int64_t,
                                                                         const kernels::cuda::Stream&)) {
  if (!all_of_type(node, DType::float32)) return rejected(kernel, not_all_of_type(DType::float32));
  return only(kernel, [=](LowerContext& context) {
    const Args args = args_of(context);
    const std::int64_t regions = context.input(1).shape[0];
    Step step;
    step.kernel = kernel;
    step.reason = "a thread for each bin of a channel";
    step.run = [=](const RunContext& run) {
      Args now = args;
      set_operands(run, now);
      enqueue(run, launcher, now, regions);
    };
    return step;
  });
}

Implementations roi_pool_implementations(const OpProblem& node, const device::CudaDevice& device) {
  return region_implementations("roi_pool", node, roi_pool_args, device.kernels().roi_pool);
}

Implementations roi_align_implementations(const OpProblem& node, const device::CudaDevice& device) {
  return region_implementations("roi_align", node, roi_align_args, device.kernels().roi_align);
}

Implementations psroi_pool_implementations(const OpProblem& node, const device::CudaDevice& device) {
  return region_implementations("psroi_pool", node, psroi_pool_args, device.kernels().psroi_pool);
}

}  // namespace

std::vector<CudaOp> cuda_roi_ops() {
  return {{"ROIPooling", roi_pool_implementations},
          {"_contrib_ROIAlign", roi_align_implementations},
          {"_contrib_PSROIPooling", psroi_pool_implementations}};
}

}  // namespace mxinfer::ops
