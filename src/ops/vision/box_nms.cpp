// box_nms: non-maximum suppression.
// Proposal, MultiProposal: where a Faster R-CNN looks for objects.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/float_types.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/detection.h"

namespace mxinfer::ops {
namespace {

using kernels::BoxFormat;
using kernels::BoxNmsArgs;

constexpr std::int64_t kCoordinates = 4;

/// Precondition: the coordinates are inside of the row.
void require_index(std::string_view name, std::int64_t index, std::int64_t width, std::int64_t coord_start) {
  if (index >= width || index < 0) {
    fail(ErrorCode::invalid_argument, name, "=", index, " is outside the ", width, " elements of a row");
  }
  if (is_inside(index - coord_start, 1, kCoordinates)) {
    fail(ErrorCode::invalid_argument, name, "=", index, " is one of the coordinates ", coord_start, " to ",
         coord_start + kCoordinates - 1);
  }
}

std::vector<TensorType> infer_nms(const InferContext& context) {
  require_real_inputs(context);
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 2);
  const std::int64_t width = shape.back(), start = context.attrs.integer("coord_start");
  const std::int64_t id = context.attrs.integer("id_index"), score = context.attrs.integer("score_index");
  if (!is_inside(start, kCoordinates, width)) {
    fail(ErrorCode::invalid_argument, "coord_start=", start, " leaves no 4 coordinates in rows of ", width,
         " elements");
  }
  require_index("score_index", score, width, start);
  if (id >= 0) require_index("id_index", id, width, start);
  if (id == score) fail(ErrorCode::invalid_argument, "id_index and score_index are both ", id);
  if (shape[shape.rank() - 2] > std::numeric_limits<std::int32_t>::max()) {
    fail(ErrorCode::unsupported, shape[shape.rank() - 2], " boxes are more than can be counted");
  }
  return {context.inputs[0]};
}

BoxFormat format_of(const Attrs& attrs, std::string_view name) {
  return attrs.choice(name) == "center" ? BoxFormat::center : BoxFormat::corner;
}

Step lower_nms(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const Shape& shape = context.input(0).shape;
  const BoxNmsArgs args = box_nms_args(context.attrs(), shape);
  if (args.topk < 1) return alias_step(context);
  const kernels::BoxNmsKernel kernel = kernels::select_box_nms(element_type(dtype), context.target());
  const std::int64_t batches = shape.elements(0, shape.rank() - 2);
  const std::size_t counts_bytes = static_cast<std::size_t>(batches * args.blocks()) * sizeof(std::int64_t);
  Step step{.kernel = labelled(concat("box_nms_", to_string(dtype)), kernel.target)};
  step.reason = "rows are filtered in blocks, and visited by score until topk";
  step.scratch_bytes = counts_bytes + static_cast<std::size_t>(batches * args.rows) * kernel.candidate_bytes;
  step.thread_scratch_bytes = kernel.scratch_bytes(args.topk);
  step.run = [=](const RunContext& at_run) {
    BoxNmsArgs now = args;
    now.target = kernel.target;
    now.src = at_run.inputs[0];
    now.dst = at_run.outputs[0];
    now.counts = reinterpret_cast<std::int64_t*>(at_run.scratch);
    now.candidates = at_run.scratch + counts_bytes;
    parallel_for(batches * now.blocks(), 1, [&](auto begin, auto end) { kernel.filter(now, begin, end); });
    parallel_for(batches, 1, [&](std::int64_t begin, std::int64_t end) {
      kernel.suppress(now, at_run.my_scratch(), begin, end);
    });
  };
  return step;
}

std::vector<TensorType> infer_proposal(const InferContext& context, bool many) {
  require_float32_inputs(context);
  const Attrs& attrs = context.attrs;
  const Shape& prob = context.shape(0);
  if (prob.rank() != 4 || prob.elements() == 0) {
    fail(ErrorCode::invalid_argument, "cls_prob has the shape ", to_string(prob),
         "; expected (batch, 2 * anchors, y, x), not empty");
  }
  const std::size_t scales = attrs.number_tuple("scales").size(),
                    ratios = attrs.number_tuple("ratios").size();
  if (prob[1] != static_cast<std::int64_t>(2 * scales * ratios)) {
    fail(ErrorCode::invalid_argument, "cls_prob has ", prob[1], " channels; expected ", 2 * scales * ratios,
         ", two for each of ", scales, " scales and ", ratios, " ratios");
  }
  if (!many && prob[0] != 1) {
    fail(ErrorCode::invalid_argument, "a batch of ", prob[0],
         " was given; expected 1 (MultiProposal takes more)");
  }
  const Shape boxes{prob[0], prob[1] * 2, prob[2], prob[3]}, info{prob[0], 3};
  for (const auto& [name, input, expected] :
       {std::tuple{"bbox_pred", std::size_t{1}, boxes}, std::tuple{"im_info", std::size_t{2}, info}}) {
    if (context.shape(input) != expected) {
      fail(ErrorCode::invalid_argument, name, " has the shape ", to_string(context.shape(input)),
           "; expected ", to_string(expected));
    }
  }
  if (prob.elements() > std::numeric_limits<std::int32_t>::max()) {
    fail(ErrorCode::unsupported, prob.elements() / 2, " anchors are more than can be counted");
  }
  const std::int64_t rows = Shape{prob[0], attrs.integer("rpn_post_nms_top_n")}.elements();
  std::vector<TensorType> outputs{{DType::float32, Shape{rows, 5}}};
  if (attrs.flag("output_score")) outputs.push_back({DType::float32, Shape{rows, 1}});
  return outputs;
}

// Error for an image that is larger than its feature map says.
void check_images(const kernels::ProposalArgs& args, std::int64_t batch) {
  for (std::int64_t image = 0; image < batch; ++image) {
    const float* info = args.im_info + image * 3;
    const auto stride = static_cast<float>(args.stride);
    const bool fits = std::trunc(info[0] / stride) <= static_cast<float>(args.height) &&
                      std::trunc(info[1] / stride) <= static_cast<float>(args.width);
    if (!fits) {
      fail(ErrorCode::invalid_argument, "im_info says that image ", image, " has ", info[0], " x ", info[1],
           " pixels; the feature map has ", args.height, " x ", args.width,
           " of feature_stride=", args.stride);
    }
  }
}

Step lower_proposal(LowerContext& context) {
  const Shape& prob = context.input(0).shape;
  kernels::ProposalArgs args = proposal_args(context.attrs(), prob);
  args.target = context.target();
  const auto anchors = std::make_shared<const std::vector<float>>(proposal_anchors(context.attrs()));
  const std::int64_t batch = prob[0];
  const bool scores = context.num_outputs() > 1;
  Step step{.kernel = labelled("proposal_float32", args.target)};
  step.reason = "anchors are placed in pieces, proposals are visited by score until there are enough";
  step.scratch_bytes = static_cast<std::size_t>(batch * args.count()) * 5 * sizeof(float);
  step.thread_scratch_bytes = kernels::proposal_scratch(args);
  step.run = [=](const RunContext& at_run) {
    kernels::ProposalArgs now = args;
    now.cls_prob = at_run.input<float>(0);
    now.bbox_pred = at_run.input<float>(1);
    now.im_info = at_run.input<float>(2);
    now.anchor = anchors->data();
    now.dst = at_run.output<float>(0);
    now.score = scores ? at_run.output<float>(1) : nullptr;
    now.proposals = reinterpret_cast<float*>(at_run.scratch);
    check_images(now, batch);
    parallel_for(batch * now.pixels(), 64,
                 [&](std::int64_t begin, std::int64_t end) { kernels::proposal_place(now, begin, end); });
    parallel_for(batch, 1, [&](std::int64_t begin, std::int64_t end) {
      kernels::proposal_select(now, at_run.my_scratch(), begin, end);
    });
  };
  return step;
}

OpDef proposal_op(const char* name, bool many) {
  OpDef op;
  op.traits.float16_on_gpus = true;
  op.name = name;
  op.summary =
      many ? "Proposal for a batch of images, with rpn_post_nms_top_n rows for each."
           : "rpn_post_nms_top_n boxes (0, xmin, ymin, xmax, ymax) of one image: anchors of all "
             "scales and ratios, moved by bbox_pred, by descending score after non-maximum suppression.";
  op.attrs = {integer_attr("rpn_pre_nms_top_n", 6000),
              integer_attr("rpn_post_nms_top_n", 300).at_least(1).at_most(1 << 24),
              number_attr("threshold", 0.699999988),
              integer_attr("rpn_min_size", 16),
              number_tuple_attr("scales", "(4, 8, 16, 32)"),
              number_tuple_attr("ratios", "(0.5, 1, 2)"),
              integer_attr("feature_stride", 16).at_least(1).at_most(1 << 20),
              flag_attr("output_score", false),
              flag_attr("iou_loss", false)};
  op.inputs = named_ports({"cls_prob", "bbox_pred", "im_info"});
  op.outputs = [](const Attrs& attrs) {
    return attrs.flag("output_score") ? PortNames{{"output", "score"}} : PortNames{{"output"}};
  };
  op.infer = [many](const InferContext& context) { return infer_proposal(context, many); };
  op.lower = lower_proposal;
  return op;
}

}  // namespace

kernels::BoxNmsArgs box_nms_args(const Attrs& attrs, const Shape& shape) {
  kernels::BoxNmsArgs args{.rows = shape[shape.rank() - 2], .width = shape.back()};
  const std::int64_t topk = attrs.integer("topk");
  args.topk = topk < 0 ? args.rows : std::min(topk, args.rows);
  args.coord_start = attrs.integer("coord_start");
  args.score_index = attrs.integer("score_index");
  args.id_index = attrs.integer("id_index");
  args.background_id = attrs.integer("background_id");
  args.across_classes = attrs.flag("force_suppress");
  args.valid_thresh = attrs.number32("valid_thresh");
  args.overlap_thresh = attrs.number32("overlap_thresh");
  args.in_format = format_of(attrs, "in_format");
  args.out_format = format_of(attrs, "out_format");
  return args;
}

std::vector<OpDef> box_nms_ops() {
  const auto format = [](const char* name) { return choice_attr(name, {"center", "corner"}, "corner"); };

  return {{.name = "_contrib_box_nms",
           .aliases = {"_contrib_box_non_maximum_suppression"},
           .summary = "The rows with score > valid_thresh by descending score, except those whose box "
                      "overlaps a kept one of its class by more than overlap_thresh; then rows of -1. A kept "
                      "box whose first coordinate is negative stays in in_format.",
           .attrs = {number_attr("overlap_thresh", 0.5), number_attr("valid_thresh", 0),
                     integer_attr("topk", -1), integer_attr("coord_start", 2), integer_attr("score_index", 1),
                     integer_attr("id_index", -1), integer_attr("background_id", -1),
                     flag_attr("force_suppress", false), format("in_format"), format("out_format")},
           .infer = infer_nms,
           .lower = lower_nms}};
}

std::vector<float> proposal_anchors(const Attrs& attrs) {
  std::vector<float> anchors;
  for (double ratio : attrs.number_tuple("ratios")) {
    for (double scale : attrs.number_tuple("scales")) {
      float corners[4];
      kernels::proposal_anchor(static_cast<float>(scale), static_cast<float>(ratio),
                               attrs.integer("feature_stride"), corners);
      anchors.insert(anchors.end(), corners, corners + 4);
    }
  }
  return anchors;
}

kernels::ProposalArgs proposal_args(const Attrs& attrs, const Shape& prob) {
  kernels::ProposalArgs args{.anchors = prob[1] / 2, .height = prob[2], .width = prob[3]};
  args.stride = attrs.integer("feature_stride");
  const std::int64_t pre_nms = attrs.integer("rpn_pre_nms_top_n");
  args.pre_nms = pre_nms > 0 ? std::min(pre_nms, args.count()) : args.count();
  args.post_nms = attrs.integer("rpn_post_nms_top_n");
  args.threshold = attrs.number32("threshold");
  args.min_size = static_cast<float>(attrs.integer("rpn_min_size"));
  args.iou_loss = attrs.flag("iou_loss");
  return args;
}

std::vector<OpDef> proposal_ops() {
  return {proposal_op("_contrib_Proposal", false), proposal_op("_contrib_MultiProposal", true)};
}

}  // namespace mxinfer::ops
