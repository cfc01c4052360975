// box_nms: non-maximum suppression.
#include "ops/vision/box_nms.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/real_inputs.h"
#include "ops/elementwise/elementwise.h"

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
  Step step;
  step.kernel = concat("box_nms_", to_string(dtype), " [", kernels::to_string(kernel.target), "]");
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
    parallel_for(batches * now.blocks(), 1,
                 [&](std::int64_t begin, std::int64_t end) { kernel.filter(now, begin, end); });
    parallel_for(batches, 1, [&](std::int64_t begin, std::int64_t end) {
      kernel.suppress(now, at_run.my_scratch(), begin, end);
    });
  };
  return step;
}

}  // namespace

kernels::BoxNmsArgs box_nms_args(const Attrs& attrs, const Shape& shape) {
  kernels::BoxNmsArgs args;
  args.rows = shape[shape.rank() - 2];
  args.width = shape.back();
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
  const auto format = [](const char* name) {
    return graph::choice_attr(name, {"center", "corner"}, "corner");
  };
  OpDef op;
  op.name = "_contrib_box_nms";
  op.aliases = {"_contrib_box_non_maximum_suppression"};
  op.summary =
      "The rows with score > valid_thresh by descending score, except those whose box overlaps a kept one of "
      "its class by more than overlap_thresh; then rows of -1. A kept box whose first coordinate is negative "
      "stays in in_format.";
  op.attrs = {graph::number_attr("overlap_thresh", 0.5),
              graph::number_attr("valid_thresh", 0),
              graph::integer_attr("topk", -1),
              graph::integer_attr("coord_start", 2),
              graph::integer_attr("score_index", 1),
              graph::integer_attr("id_index", -1),
              graph::integer_attr("background_id", -1),
              graph::flag_attr("force_suppress", false),
              format("in_format"),
              format("out_format")};
  op.infer = infer_nms;
  op.lower = lower_nms;
  return {op};
}

}  // namespace mxinfer::ops
