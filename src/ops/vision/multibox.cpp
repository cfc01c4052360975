// Single shot detectors. MultiBoxPrior: the anchors of a feature map, known when its size is. MultiBoxTarget:
// what a detector is trained towards; deployed graphs have none, it is for graphs that were saved as they
// were trained and are run with labels. MultiBoxDetection: what was found, from class probabilities and box
// codes.

#include <limits>

#include "kernels/boxes/multibox_target.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/float_types.h"
#include "ops/vision/detection.h"

namespace mxinfer::ops {
namespace {

std::vector<float> floats(const Attrs& attrs, std::string_view name) {
  const std::vector<double>& numbers = attrs.number_tuple(name);
  std::vector<float> values;
  for (double number : numbers) values.push_back(static_cast<float>(number));
  return values;
}

// The two values of an attribute, y first.
std::vector<float> pair_of(const Attrs& attrs, std::string_view name) {
  std::vector<float> values = floats(attrs, name);
  if (values.size() != 2) {
    fail(ErrorCode::malformed, "attribute ", name, " has ", values.size(), " numbers; expected 2, y and x");
  }
  return values;
}

void require_some(const Attrs& attrs, std::string_view name) {
  if (attrs.number_tuple(name).empty()) fail(ErrorCode::malformed, "attribute ", name, " has no numbers");
}

std::vector<TensorType> infer_prior(const InferContext& context) {
  require_float32_inputs(context);
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 4);
  require_some(context.attrs, "sizes");
  require_some(context.attrs, "ratios");
  pair_of(context.attrs, "offsets");
  const std::vector<float> steps = pair_of(context.attrs, "steps");
  if (steps[0] * steps[1] < 0) {
    fail(ErrorCode::malformed, "attribute steps gives only one of ", steps[0], " and ", steps[1],
         "; expected both or none");
  }
  const auto boxes = static_cast<std::int64_t>(context.attrs.number_tuple("sizes").size() +
                                               context.attrs.number_tuple("ratios").size() - 1);
  return {{DType::float32, Shape{1, Shape{shape[2], shape[3], boxes}.elements(), 4}}};
}

Step lower_prior(LowerContext& context) {
  Tensor anchors(DType::float32, context.output(0).shape);
  MultiBoxPriorProblem problem = multibox_prior_problem(context.attrs(), context.input(0).shape);
  problem.args.dst = anchors.data<float>();
  problem.args.sizes = problem.sizes.data();
  problem.args.ratios = problem.ratios.data();
  kernels::multibox_prior(problem.args);
  return constant_step(std::move(anchors));
}

std::vector<TensorType> infer_target(const InferContext& context) {
  require_float32_inputs(context);
  const Shape &anchor = context.shape(0), &label = context.shape(1), &pred = context.shape(2);
  if (anchor.rank() != 3 || anchor[0] != 1 || anchor[2] != 4) {
    fail(ErrorCode::invalid_argument, "anchor has the shape ", to_string(anchor),
         "; expected (1, anchors, 4)");
  }
  if (label.rank() != 3 || label[2] < 5) {
    fail(ErrorCode::invalid_argument, "label has the shape ", to_string(label),
         "; expected (batch, objects, 5 or more: class, corners)");
  }
  if (pred.rank() != 3 || pred[0] != label[0] || pred[2] != anchor[1] || pred[1] < 1) {
    fail(ErrorCode::invalid_argument, "cls_pred has the shape ", to_string(pred), "; expected (", label[0],
         ", classes, ", anchor[1], ")");
  }
  if (context.attrs.number_tuple("variances").size() != 4) {
    fail(ErrorCode::malformed, "attribute variances has ", context.attrs.number_tuple("variances").size(),
         " numbers; expected 4");
  }
  const Shape boxes{label[0], Shape{anchor[1], 4}.elements()};
  return {{DType::float32, boxes}, {DType::float32, boxes}, {DType::float32, Shape{label[0], anchor[1]}}};
}

Step lower_target(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  const Shape& label = context.input(1).shape;
  kernels::MultiBoxTargetArgs args{.anchors = context.input(0).shape[1], .objects = label[1]};
  args.label_width = label[2];
  args.classes = context.input(2).shape[1];
  args.overlap_threshold = attrs.number32("overlap_threshold");
  args.ignore_label = attrs.number32("ignore_label");
  args.mining_ratio = attrs.number32("negative_mining_ratio");
  args.mining_threshold = attrs.number32("negative_mining_thresh");
  for (std::size_t i = 0; i < 4; ++i)
    args.variances[i] = static_cast<float>(attrs.number_tuple("variances")[i]);
  Step step{.kernel = "multibox_target_ref_float32 [ref]", .reason = "one image at a time"};
  step.thread_scratch_bytes = kernels::multibox_target_scratch(args.anchors, args.objects);
  step.run = [args, batch = label[0]](const RunContext& at_run) {
    kernels::MultiBoxTargetArgs now = args;
    now.anchor = at_run.input<float>(0);
    now.label = at_run.input<float>(1);
    now.cls_pred = at_run.input<float>(2);
    now.loc_target = at_run.output<float>(0);
    now.loc_mask = at_run.output<float>(1);
    now.cls_target = at_run.output<float>(2);
    parallel_for(batch, 1, [&](std::int64_t begin, std::int64_t end) {
      kernels::multibox_target(now, at_run.my_scratch(), begin, end);
    });
  };
  return step;
}

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
  Step step{.kernel = labelled("multibox_detection_float32", args.target)};
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

MultiBoxPriorProblem multibox_prior_problem(const Attrs& attrs, const Shape& map) {
  MultiBoxPriorProblem problem{{}, floats(attrs, "sizes"), floats(attrs, "ratios")};
  const std::vector<float> steps = pair_of(attrs, "steps"), offsets = pair_of(attrs, "offsets");
  kernels::MultiBoxPriorArgs& args = problem.args;
  args.rows = map[2];
  args.columns = map[3];
  args.size_count = static_cast<std::int64_t>(problem.sizes.size());
  args.ratio_count = static_cast<std::int64_t>(problem.ratios.size());
  const bool given = steps[0] > 0 && steps[1] > 0;
  args.step_y = given ? steps[0] : 1.0f / static_cast<float>(args.rows);
  args.step_x = given ? steps[1] : 1.0f / static_cast<float>(args.columns);
  args.offset_y = offsets[0];
  args.offset_x = offsets[1];
  args.clip = attrs.flag("clip");
  return problem;
}

kernels::MultiBoxDetectionArgs multibox_detection_args(const Attrs& attrs, const Shape& prob) {
  kernels::MultiBoxDetectionArgs args{.classes = prob[1], .anchors = prob[2]};
  args.threshold = attrs.number32("threshold");
  args.clip = attrs.flag("clip");
  for (std::size_t i = 0; i < 4; ++i)
    args.variances[i] = static_cast<float>(attrs.number_tuple("variances")[i]);
  args.nms_threshold = attrs.number32("nms_threshold");
  args.across_classes = attrs.flag("force_suppress");
  args.topk = attrs.integer("nms_topk");
  return args;
}

std::vector<OpDef> multibox_ops() {
  return {
      {.name = "_contrib_MultiBoxPrior",
       .aliases = {"_npx_multibox_prior"},
       .summary =
           "The anchors of a feature map: boxes of several sizes and ratios around each pixel's center.",
       .attrs = {number_tuple_attr("sizes", "(1,)"), number_tuple_attr("ratios", "(1,)"),
                 flag_attr("clip", false), number_tuple_attr("steps", "(-1, -1)"),
                 number_tuple_attr("offsets", "(0.5, 0.5)")},
       .traits = {.float16_on_gpus = true},
       .infer = infer_prior,
       .lower = lower_prior},
      {.name = "_contrib_MultiBoxTarget",
       .aliases = {"_npx_multibox_target"},
       .summary = "The training targets of a single shot detector: encoded boxes, a mask of the matched "
                  "anchors, and their classes.",
       .attrs = {number_attr("overlap_threshold", 0.5), number_attr("ignore_label", -1),
                 number_attr("negative_mining_ratio", -1), number_attr("negative_mining_thresh", 0.5),
                 integer_attr("minimum_negative_samples", 0).without_effect(),
                 number_tuple_attr("variances", "(0.1, 0.1, 0.2, 0.2)")},
       .inputs = named_ports({"anchor", "label", "cls_pred"}),
       .outputs = named_ports({"loc_target", "loc_mask", "cls_target"}),
       .infer = infer_target,
       .lower = lower_target},
      {.name = "_contrib_MultiBoxDetection",
       .aliases = {"_npx_multibox_detection"},
       .summary = "Rows (class, score, xmin, ymin, xmax, ymax), by descending score after non-maximum "
                  "suppression, from class probabilities (class 0 is the background) and boxes encoded "
                  "relative to anchors. Rows without an object, or with a suppressed one, have class -1.",
       .attrs = {flag_attr("clip", true), number_attr("threshold", 0.00999999978),
                 integer_attr("background_id", 0).without_effect(), number_attr("nms_threshold", 0.5),
                 flag_attr("force_suppress", false), number_tuple_attr("variances", "(0.1, 0.1, 0.2, 0.2)"),
                 integer_attr("nms_topk", -1)},
       .inputs = named_ports({"cls_prob", "loc_pred", "anchor"}),
       .traits = {.float16_on_gpus = true},
       .infer = infer_detection,
       .lower = lower_detection},
  };
}

}  // namespace mxinfer::ops
