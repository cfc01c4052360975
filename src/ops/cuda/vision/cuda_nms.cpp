// box_nms, MultiBoxDetection, Proposal, MultiProposal: what a detector has found.
#include <algorithm>

#include "base/fail.h"
#include "kernels/nms/nms_cuda.h"
#include "kernels/proposal/proposal_cuda.h"
#include "ops/common/copy_step.h"
#include "ops/cuda/cuda_op.h"
#include "ops/vision/box_nms.h"
#include "ops/vision/multibox_detection.h"
#include "ops/vision/proposal.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kSuppressionReason = "boxes are compared in windows of 2048, by score";

Implementations box_nms_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("box_nms", not_all_of_type(DType::float32));
  return only("box_nms", [&device](LowerContext& context) {
    const Shape& shape = context.input(0).shape;
    const kernels::BoxNmsArgs args = box_nms_args(context.attrs(), shape);
    if (args.topk < 1) return alias_step(context);
    const std::int64_t batches = shape.elements(0, shape.rank() - 2);
    Step step;
    step.kernel = "box_nms";
    step.reason = kSuppressionReason;
    step.scratch_bytes = kernels::cuda::box_nms_scratch(args, batches);
    step.run = [=, &device](const RunContext& run) {
      kernels::BoxNmsArgs now = args;
      now.src = run.inputs[0];
      now.dst = run.outputs[0];
      enqueue(run, device.kernels().box_nms, now, batches, run.scratch);
    };
    return step;
  });
}

Implementations multibox_detection_implementations(const OpProblem&, const device::CudaDevice& device) {
  return only("multibox_detection", [&device](LowerContext& context) {
    const Shape& prob = context.input(0).shape;
    const auto args = multibox_detection_args(context.attrs(), prob);
    const std::int64_t batches = prob[0];
    Step step;
    step.kernel = "multibox_detection";
    step.reason = kSuppressionReason;
    step.scratch_bytes = kernels::cuda::multibox_detection_scratch(args, batches);
    step.run = [=, &device](const RunContext& run) {
      kernels::MultiBoxDetectionArgs now = args;
      now.cls_prob = run.input<float>(0);
      now.loc_pred = run.input<float>(1);
      now.anchor = run.input<float>(2);
      now.dst = run.output<float>(0);
      enqueue(run, device.kernels().multibox_detection, now, batches, run.scratch);
    };
    return step;
  });
}

Implementations proposal_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const kernels::ProposalArgs args = proposal_args(node.attrs(), node.input(0).shape);
  if (args.anchors > kernels::cuda::kMostProposalAnchors) {
    return rejected("proposal",
                    concat("a pixel has more than ", kernels::cuda::kMostProposalAnchors, " anchors"));
  }
  return only("proposal", [args, &device](LowerContext& context) {
    kernels::cuda::ProposalAnchors anchors{};
    const std::vector<float> corners = proposal_anchors(context.attrs());
    std::copy(corners.begin(), corners.end(), &anchors.corners[0][0]);
    const std::int64_t batch = context.input(0).shape[0];
    const bool scores = context.num_outputs() > 1;
    Step step;
    step.kernel = "proposal";
    step.reason = kSuppressionReason;
    step.scratch_bytes = kernels::cuda::proposal_scratch_bytes(args, batch);
    step.run = [=, &device](const RunContext& run) {
      kernels::ProposalArgs now = args;
      now.cls_prob = run.input<float>(0);
      now.bbox_pred = run.input<float>(1);
      now.im_info = run.input<float>(2);
      now.dst = run.output<float>(0);
      now.score = scores ? run.output<float>(1) : nullptr;
      enqueue(run, device.kernels().proposal, now, anchors, batch, run.scratch);
    };
    return step;
  });
}

}  // namespace

std::vector<CudaOp> cuda_nms_ops() {
  return {{"_contrib_box_nms", box_nms_implementations},
          {"_contrib_MultiBoxDetection", multibox_detection_implementations},
          {"_contrib_Proposal", proposal_implementations},
          {"_contrib_MultiProposal", proposal_implementations}};
}

}  // namespace mxinfer::ops
