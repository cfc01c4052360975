// MultiBoxTarget: what a single shot detector is trained towards. Deployed graphs have none; it is here for
// graphs that were saved as they were trained and are run with labels.
#include "kernels/boxes/multibox_target.h"

#include "ops/common/real_inputs.h"

namespace mxinfer::ops {
namespace {

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
  kernels::MultiBoxTargetArgs args;
  args.anchors = context.input(0).shape[1];
  args.objects = label[1];
  args.label_width = label[2];
  args.classes = context.input(2).shape[1];
  args.overlap_threshold = attrs.number32("overlap_threshold");
  args.ignore_label = attrs.number32("ignore_label");
  args.mining_ratio = attrs.number32("negative_mining_ratio");
  args.mining_threshold = attrs.number32("negative_mining_thresh");
  for (std::size_t i = 0; i < 4; ++i)
    args.variances[i] = static_cast<float>(attrs.number_tuple("variances")[i]);
  Step step;
  step.kernel = "multibox_target_ref_float32 [ref]";
  step.reason = "one image at a time";
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

}  // namespace

std::vector<OpDef> multibox_target_ops() {
  OpDef op;
  op.name = "_contrib_MultiBoxTarget";
  op.aliases = {"_npx_multibox_target"};
  op.summary =
      "The training targets of a single shot detector: encoded boxes, a mask of the matched anchors, and "
      "their classes.";
  op.attrs = {graph::number_attr("overlap_threshold", 0.5),
              graph::number_attr("ignore_label", -1),
              graph::number_attr("negative_mining_ratio", -1),
              graph::number_attr("negative_mining_thresh", 0.5),
              graph::integer_attr("minimum_negative_samples", 0).without_effect(),
              graph::number_tuple_attr("variances", "(0.1, 0.1, 0.2, 0.2)")};
  op.inputs = [](const Attrs&) { return PortNames{{"anchor", "label", "cls_pred"}}; };
  op.outputs = [](const Attrs&) { return PortNames{{"loc_target", "loc_mask", "cls_target"}}; };
  op.infer = infer_target;
  op.lower = lower_target;
  return {op};
}

}  // namespace mxinfer::ops
