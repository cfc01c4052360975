// MultiBoxDetection: what a single shot detector found, from class probabilities and box codes.
#include "ops/vision/multibox_detection.h"

#include <limits>

#include "ops/common/real_inputs.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_detection(const InferContext& context) {
  require_float32_inputs(context);
  const Shape &prob = context.shape(0), &loc = context.shape(1), &anchor = context.shape(2);
  if (prob.rank() != 3) {
    fail(ErrorCode::invalid_argument, "cls_prob has the shape ", to_string(prob),
         "; expected (batch, classes, anchors)");
  }
  if (prob[2] > std::numeric_limits<std::int32_t>::max()) {
    fail(ErrorCode::unsupported, prob[2], " anchors are more than can be counted");
  }
  if (loc.rank() != 2 || loc[0] != prob[0] || loc[1] != prob[2] * 4) {
    fail(ErrorCode::invalid_argument, "loc_pred has the shape ", to_string(loc), "; expected ",
         to_string(Shape{prob[0], prob[2] * 4}), ", 4 numbers for each anchor of cls_prob");
  }
  if (anchor != Shape{1, prob[2], 4}) {
    fail(ErrorCode::invalid_argument, "anchor has the shape ", to_string(anchor), "; expected ",
         to_string(Shape{1, prob[2], 4}), ", a box for each anchor of cls_prob");
  }
  if (context.attrs.number_tuple("variances").size() != 4) {
    fail(ErrorCode::malformed, "attribute variances has ", context.attrs.number_tuple("variances").size(),
         " numbers; expected 4");
  }
  return {{DType::float32, Shape{prob[0], prob[2], 6}}};
}

Step lower_detection(LowerContext& context) {
  const Shape& prob = context.input(0).shape;
  kernels::MultiBoxDetectionArgs args = multibox_detection_args(context.attrs(), prob);
  args.target = context.target();
  const std::int64_t batches = prob[0], anchors = prob[0] * prob[2];
  Step step;
  step.kernel = concat("multibox_detection_float32 [", kernels::to_string(args.target), "]");
  step.reason = "anchors are classified in blocks, boxes are visited by score until nms_topk";
  step.scratch_bytes = static_cast<std::size_t>(anchors) * (sizeof(float) + sizeof(std::int32_t));
  step.thread_scratch_bytes = kernels::multibox_scratch(args.anchors);
  step.run = [=](const RunContext& at_run) {
    kernels::MultiBoxDetectionArgs now = args;
    now.cls_prob = at_run.input<float>(0);
    now.loc_pred = at_run.input<float>(1);
    now.anchor = at_run.input<float>(2);
    now.dst = at_run.output<float>(0);
    now.best = reinterpret_cast<float*>(at_run.scratch);
    now.id = reinterpret_cast<std::int32_t*>(now.best + anchors);
    parallel_for(batches * now.blocks(), 1,
                 [&](std::int64_t begin, std::int64_t end) { kernels::multibox_classify(now, begin, end); });
    parallel_for(batches, 1, [&](std::int64_t begin, std::int64_t end) {
      kernels::multibox_detect(now, at_run.my_scratch(), begin, end);
    });
  };
  return step;
}

}  // namespace

kernels::MultiBoxDetectionArgs multibox_detection_args(const Attrs& attrs, const Shape& prob) {
  kernels::MultiBoxDetectionArgs args;
  args.classes = prob[1];
  args.anchors = prob[2];
  args.threshold = attrs.number32("threshold");
  args.clip = attrs.flag("clip");
  for (std::size_t i = 0; i < 4; ++i)
    args.variances[i] = static_cast<float>(attrs.number_tuple("variances")[i]);
  args.nms_threshold = attrs.number32("nms_threshold");
  args.across_classes = attrs.flag("force_suppress");
  args.topk = attrs.integer("nms_topk");
  return args;
}

std::vector<OpDef> multibox_detection_ops() {
  OpDef op;
  op.name = "_contrib_MultiBoxDetection";
  op.aliases = {"_npx_multibox_detection"};
  op.summary =
      "Rows (class, score, xmin, ymin, xmax, ymax), by descending score after non-maximum suppression, from "
      "class probabilities (class 0 is the background) and boxes encoded relative to anchors. Rows without "
      "an object, or with a suppressed one, have class -1.";
  op.attrs = {graph::flag_attr("clip", true),
              graph::number_attr("threshold", 0.00999999978),
              graph::integer_attr("background_id", 0).without_effect(),
              graph::number_attr("nms_threshold", 0.5),
              graph::flag_attr("force_suppress", false),
              graph::number_tuple_attr("variances", "(0.1, 0.1, 0.2, 0.2)"),
              graph::integer_attr("nms_topk", -1)};
  op.inputs = [](const Attrs&) { return PortNames{{"cls_prob", "loc_pred", "anchor"}}; };
  op.traits.float16_on_gpus = true;
  op.infer = infer_detection;
  op.lower = lower_detection;
  return {op};
}

}  // namespace mxinfer::ops
