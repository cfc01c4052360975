// box_iou, box_encode, box_decode, MultiBoxPrior; box_nms, MultiBoxDetection, Proposal, MultiProposal: what a
// detector has found; the poolings of regions.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/boxes/boxes_cuda.h"
#include "kernels/nms/nms_cuda.h"
#include "kernels/proposal/proposal_cuda.h"
#include "kernels/roi/roi_cuda.h"
#include "ops/common/copy_step.h"
#include "ops/cuda/cuda_op.h"
#include "ops/vision/detection.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kBoxesReason = "a thread for each box";

/// A thread for each of `rows` boxes.
template <typename Args>
Step boxes_step(const char* kernel, const Args& args, std::int64_t rows,
                kernels::cuda::Status (*launcher)(const Args&, std::int64_t, const kernels::cuda::Stream&)) {
  Step step{.kernel = kernel, .reason = kBoxesReason};
  step.run = [=](const RunContext& run) { enqueue(run, launcher, with_operands(args, run), rows); };
  return step;
}

Step box_iou_step(LowerContext& context, const device::CudaDevice& device) {
  const std::int64_t rows = context.input(0).shape.elements() / 4;
  return boxes_step("box_iou", box_iou_args(context), rows, device.kernels().box_iou);
}

Step box_encode_step(LowerContext& context, const device::CudaDevice& device) {
  const std::int64_t rows = context.input(0).shape.elements();
  return boxes_step("box_encode", box_encode_args(context), rows, device.kernels().box_encode);
}

Step box_decode_step(LowerContext& context, const device::CudaDevice& device) {
  const std::int64_t rows = context.input(0).shape.elements() / 4;
  return boxes_step("box_decode", box_decode_args(context), rows, device.kernels().box_decode);
}

// As kernels::multibox_prior() computes it.
kernels::cuda::PriorBoxes prior_boxes(const MultiBoxPriorProblem& problem) {
  const kernels::MultiBoxPriorArgs& args = problem.args;
  const auto rows = static_cast<float>(args.rows), columns = static_cast<float>(args.columns);
  kernels::cuda::PriorBoxes boxes{};
  for (std::int64_t box = 0; box < args.boxes(); ++box) {
    const bool first_ratio = box < args.size_count;
    const float size = problem.sizes[static_cast<std::size_t>(first_ratio ? box : 0)];
    const float ratio =
        std::sqrt(problem.ratios[static_cast<std::size_t>(first_ratio ? 0 : box - args.size_count + 1)]);
    boxes.half_width[box] = size * rows / columns * ratio / 2;
    boxes.half_height[box] = size / ratio / 2;
  }
  return boxes;
}

Implementations multibox_prior_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const MultiBoxPriorProblem problem = multibox_prior_problem(node.attrs(), node.input(0).shape);
  if (problem.args.boxes() > kernels::cuda::kMostPriorBoxes) {
    return rejected("multibox_prior",
                    concat("a pixel has more than ", kernels::cuda::kMostPriorBoxes, " boxes"));
  }
  return only("multibox_prior", [args = problem.args, boxes = prior_boxes(problem), &device](LowerContext&) {
    Step step{.kernel = "multibox_prior", .reason = kBoxesReason};
    step.run = [=, &device](const RunContext& run) {
      kernels::MultiBoxPriorArgs now = args;
      now.dst = run.output<float>(0);
      enqueue(run, device.kernels().multibox_prior, now, boxes);
    };
    return step;
  });
}

constexpr const char* kSuppressionReason = "boxes are compared in windows of 2048, by score";

Step box_nms_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape& shape = context.input(0).shape;
  const kernels::BoxNmsArgs args = box_nms_args(context.attrs(), shape);
  if (args.topk < 1) return alias_step(context);
  const std::int64_t batches = shape.elements(0, shape.rank() - 2);
  Step step{.kernel = "box_nms", .reason = kSuppressionReason};
  step.scratch_bytes = kernels::cuda::box_nms_scratch(args, batches);
  step.run = [=, &device](const RunContext& run) {
    kernels::BoxNmsArgs now = args;
    now.src = run.inputs[0];
    now.dst = run.outputs[0];
    enqueue(run, device.kernels().box_nms, now, batches, run.scratch);
  };
  return step;
}

Step multibox_detection_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape& prob = context.input(0).shape;
  const auto args = multibox_detection_args(context.attrs(), prob);
  const std::int64_t batches = prob[0];
  Step step{.kernel = "multibox_detection", .reason = kSuppressionReason};
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
    Step step{.kernel = "proposal", .reason = kSuppressionReason};
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

template <typename Args>
Step region_step(LowerContext& context, const char* kernel, const Args& args,
                 kernels::cuda::Status (*launcher)(const Args&, std::int64_t, const kernels::cuda::Stream&)) {
  Step step{.kernel = kernel, .reason = "a thread for each bin of a channel"};
  step.run = [=, regions = context.input(1).shape[0]](const RunContext& run) {
    Args now = args;
    set_operands(run, now);
    enqueue(run, launcher, now, regions);
  };
  return step;
}

Step roi_pool_step(LowerContext& context, const device::CudaDevice& device) {
  return region_step(context, "roi_pool", roi_pool_args(context), device.kernels().roi_pool);
}

Step roi_align_step(LowerContext& context, const device::CudaDevice& device) {
  return region_step(context, "roi_align", roi_align_args(context), device.kernels().roi_align);
}

/// Of kernels that read and write halves.
template <typename Args>
Step sampled_step(LowerContext& context, const char* kernel, const Args& args, bool has_offsets,
                  kernels::cuda::Status (*launcher)(const Args&, kernels::FloatType, std::int64_t,
                                                    const kernels::cuda::Stream&)) {
  Step step{.kernel = of_data_type(kernel, context), .reason = "a thread for each bin of a channel"};
  step.run = [=, type = data_type(context), regions = context.input(1).shape[0]](const RunContext& run) {
    Args now = args;
    set_operands(run, now);
    if constexpr (std::is_same_v<Args, kernels::PsRoiPoolArgs>)
      now.trans = has_offsets ? run.inputs[2] : nullptr;
    enqueue(run, launcher, now, type, regions);
  };
  return step;
}

Step roi_align_rotated_step(LowerContext& context, const device::CudaDevice& device) {
  return sampled_step(context, "roi_align_rotated", roi_align_rotated_args(context), false,
                      device.kernels().roi_align_rotated);
}

Step deformable_psroi_pool_step(LowerContext& context, const device::CudaDevice& device) {
  const kernels::PsRoiPoolArgs args = deformable_psroi_pool_args(context);
  return sampled_step(context, "deformable_psroi_pool", args, args.classes > 0,
                      device.kernels().deformable_psroi_pool);
}

Step psroi_pool_step(LowerContext& context, const device::CudaDevice& device) {
  return region_step(context, "psroi_pool", psroi_pool_args(context), device.kernels().psroi_pool);
}

}  // namespace

std::vector<CudaOp> cuda_box_ops() {
  return {
      {"_contrib_box_iou", float32_kernel("box_iou", box_iou_step)},
      {"_contrib_box_encode", float32_kernel("box_encode", box_encode_step)},
      {"_contrib_box_decode", float32_kernel("box_decode", box_decode_step)},
      {"_contrib_MultiBoxPrior", multibox_prior_implementations},
      {"_contrib_box_nms", float32_kernel("box_nms", box_nms_step)},
      {"_contrib_MultiBoxDetection", one_kernel("multibox_detection", multibox_detection_step)},
      {"_contrib_Proposal", proposal_implementations},
      {"_contrib_MultiProposal", proposal_implementations},
      {"ROIPooling", float32_kernel("roi_pool", roi_pool_step)},
      {"_contrib_ROIAlign", float32_kernel("roi_align", roi_align_step)},
      {"_contrib_PSROIPooling", float32_kernel("psroi_pool", psroi_pool_step)},
      with_halves({"_contrib_RROIAlign", float_kernel("roi_align_rotated", roi_align_rotated_step)},
                  HalfForm::one_type, reads_first),
      with_halves({"_contrib_DeformablePSROIPooling",
                   float_kernel("deformable_psroi_pool", deformable_psroi_pool_step)},
                  HalfForm::one_type, reads_first),
  };
}

}  // namespace mxinfer::ops
