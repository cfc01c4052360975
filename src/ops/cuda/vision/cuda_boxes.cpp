// box_iou, box_encode, box_decode, MultiBoxPrior.
#include <cmath>

#include "base/fail.h"
#include "kernels/boxes/boxes_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/vision/boxes.h"
#include "ops/vision/multibox_prior.h"

namespace mxinfer::ops {
namespace {

Step boxes_step(const char* kernel) {
  Step step;
  step.kernel = kernel;
  step.reason = "a thread for each box";
  return step;
}

Implementations box_iou_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("box_iou", not_all_of_type(DType::float32));
  return only("box_iou", [&device](LowerContext& context) {
    const kernels::BoxIouArgs args = box_iou_args(context);
    const std::int64_t rows = context.input(0).shape.elements() / 4;
    Step step = boxes_step("box_iou");
    step.run = [=, &device](const RunContext& run) {
      enqueue(run, device.kernels().box_iou, with_operands(args, run), rows);
    };
    return step;
  });
}

Implementations box_encode_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("box_encode", not_all_of_type(DType::float32));
  return only("box_encode", [&device](LowerContext& context) {
    const kernels::BoxEncodeArgs args = box_encode_args(context);
    const std::int64_t rows = context.input(0).shape.elements();
    Step step = boxes_step("box_encode");
    step.run = [=, &device](const RunContext& run) {
      enqueue(run, device.kernels().box_encode, with_operands(args, run), rows);
    };
    return step;
  });
}

Implementations box_decode_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("box_decode", not_all_of_type(DType::float32));
  return only("box_decode", [&device](LowerContext& context) {
    const kernels::BoxDecodeArgs args = box_decode_args(context);
    const std::int64_t rows = context.input(0).shape.elements() / 4;
    Step step = boxes_step("box_decode");
    step.run = [=, &device](const RunContext& run) {
      enqueue(run, device.kernels().box_decode, with_operands(args, run), rows);
    };
    return step;
  });
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
    Step step = boxes_step("multibox_prior");
    step.run = [=, &device](const RunContext& run) {
      kernels::MultiBoxPriorArgs now = args;
      now.dst = run.output<float>(0);
      enqueue(run, device.kernels().multibox_prior, now, boxes);
    };
    return step;
  });
}

}  // namespace

std::vector<CudaOp> cuda_box_ops() {
  return {{"_contrib_box_iou", box_iou_implementations},
          {"_contrib_box_encode", box_encode_implementations},
          {"_contrib_box_decode", box_decode_implementations},
          {"_contrib_MultiBoxPrior", multibox_prior_implementations}};
}

}  // namespace mxinfer::ops
