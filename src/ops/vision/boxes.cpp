// box_iou, box_encode, box_decode, bipartite_matching: how boxes overlap, their coding relative to anchors,
// and which of two sets belong together, best first.

#include "kernels/boxes/matching.h"
#include "ops/common/axes.h"
#include "ops/common/float_types.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/detection.h"

namespace mxinfer::ops {
namespace {

using kernels::BoxFormat;

constexpr std::int64_t kBoxGrain = 2048;

BoxFormat format_of(const Attrs& attrs) {
  return attrs.choice("format") == "center" ? BoxFormat::center : BoxFormat::corner;
}

AttrSpec format_attr(std::string name, std::string default_value) {
  return choice_attr(std::move(name), {"center", "corner"}, std::move(default_value));
}

template <typename Args, typename Run>
Step box_step(std::string_view kernel, DType dtype, const Args& args, Run run, std::int64_t rows,
              std::int64_t grain = kBoxGrain) {
  Step step{.kernel = ref_kernel(kernel, dtype), .reason = "one box at a time"};
  step.run = [=](const RunContext& at_run) {
    const Args now = with_operands(args, at_run);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

// Error unless `shape` is `expected`, which `why` explains.
void require_shape(std::string_view name, const Shape& shape, const Shape& expected, std::string_view why) {
  if (shape != expected) {
    fail(ErrorCode::invalid_argument, name, " has the shape ", to_string(shape), "; expected ",
         to_string(expected), why);
  }
}

void require_boxes(std::string_view name, const Shape& shape) {
  if (shape.rank() < 2 || shape.back() != 4) {
    fail(ErrorCode::invalid_argument, name, " has the shape ", to_string(shape),
         "; expected at least 2 dimensions, the last one of the 4 numbers of a box");
  }
}

std::vector<TensorType> infer_iou(const InferContext& context) {
  require_real_inputs(context);
  require_boxes("lhs", context.shape(0));
  require_boxes("rhs", context.shape(1));
  Shape out;
  for (std::size_t input : {0, 1}) {
    const Shape& shape = context.shape(input);
    for (std::size_t d = 0; d + 1 < shape.rank(); ++d) out.push_back(shape[d]);
  }
  out.elements();  // the product must be a number
  return {{context.dtype(0), out}};
}

Step lower_iou(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const kernels::BoxIouArgs args = box_iou_args(context);
  const std::int64_t rows = context.input(0).shape.elements() / 4;
  return box_step("box_iou", dtype, args, kernels::select_box_iou(element_type(dtype)), rows,
                  piece_grain(kBoxGrain, args.columns));
}

std::vector<TensorType> infer_encode(const InferContext& context) {
  require_real_inputs(context);
  const Shape &samples = context.shape(0), &refs = context.shape(3);
  if (samples.rank() != 2) {
    fail(ErrorCode::invalid_argument, "samples has the shape ", to_string(samples),
         "; expected (batch, anchors)");
  }
  const Shape boxes{samples[0], samples[1], 4};
  require_shape("matches", context.shape(1), samples, " as samples");
  require_shape("anchors", context.shape(2), boxes, ", a box for each sample");
  if (refs.rank() != 3 || refs[0] != samples[0] || refs[2] != 4) {
    fail(ErrorCode::invalid_argument, "refs has the shape ", to_string(refs), "; expected (", samples[0],
         ", references, 4)");
  }
  require_shape("means", context.shape(4), Shape{4}, "");
  require_shape("stds", context.shape(5), Shape{4}, "");
  return {{context.dtype(0), boxes}, {context.dtype(0), boxes}};
}

Step lower_encode(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  return box_step("box_encode", dtype, box_encode_args(context),
                  kernels::select_box_encode(element_type(dtype)), context.input(0).shape.elements());
}

std::vector<TensorType> infer_decode(const InferContext& context) {
  require_real_inputs(context);
  const Shape& data = context.shape(0);
  if (data.rank() != 3 || data[2] != 4) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data), "; expected (batch, boxes, 4)");
  }
  require_shape("anchors", context.shape(1), Shape{1, data[1], 4}, ", a box for each of data's");
  return {context.inputs[0]};
}

Step lower_decode(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const std::int64_t rows = context.input(0).shape.elements() / 4;
  const kernels::Target target = context.target();
  // Without fused products the exponential of vectors takes longer than the library's.
  const bool has_vectors = dtype == DType::float32 && target >= kernels::Target::avx2;
  const kernels::BoxDecodeFn run =
      has_vectors ? kernels::select_box_decode_f32(target) : kernels::select_box_decode(element_type(dtype));
  Step step = box_step("box_decode", dtype, box_decode_args(context), run, rows);
  if (has_vectors) step.kernel = labelled("box_decode_float32", target);
  return step;
}

std::vector<TensorType> infer_matching(const InferContext& context) {
  require_real_inputs(context);
  require_rank_at_least(context.shape(0), 2);
  Shape rows = context.shape(0), columns = context.shape(0);
  rows.erase(rows.rank() - 1);
  columns.erase(columns.rank() - 2);
  return {{context.dtype(0), rows}, {context.dtype(0), columns}};
}

Step lower_matching(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  const DType dtype = context.input(0).dtype;
  const Shape& shape = context.input(0).shape;
  kernels::BipartiteMatchingArgs args{.rows = shape[shape.rank() - 2], .columns = shape.back()};
  args.ascending = attrs.flag("is_ascend");
  args.threshold = attrs.number32("threshold");
  args.topk = attrs.integer("topk");
  const std::int64_t batches = shape.elements(0, shape.rank() - 2);
  const kernels::BipartiteMatchingFn run = kernels::select_bipartite_matching(element_type(dtype));
  Step step{.kernel = ref_kernel("bipartite_matching", dtype), .reason = "one matrix at a time"};
  step.thread_scratch_bytes = kernels::bipartite_matching_scratch(args.rows, args.columns);
  step.run = [=](const RunContext& at_run) {
    kernels::BipartiteMatchingArgs now = args;
    now.scores = at_run.inputs[0];
    now.row_match = at_run.outputs[0];
    now.column_match = at_run.outputs[1];
    parallel_for(batches, 1, [&](auto begin, auto end) { run(now, at_run.my_scratch(), begin, end); });
  };
  return step;
}

}  // namespace

kernels::BoxIouArgs box_iou_args(const OpProblem& node) {
  return {.columns = node.input(1).shape.elements() / 4, .format = format_of(node.attrs())};
}

kernels::BoxEncodeArgs box_encode_args(const OpProblem& node) {
  return {.anchor_count = node.input(0).shape[1], .references = node.input(3).shape[1]};
}

kernels::BoxDecodeArgs box_decode_args(const OpProblem& node) {
  kernels::BoxDecodeArgs args{.anchor_count = node.input(0).shape[1], .format = format_of(node.attrs())};
  for (int i = 0; i < 4; ++i) args.std[i] = node.attrs().number32("std" + std::to_string(i));
  args.clip = node.attrs().number32("clip");
  return args;
}

kernels::BoxIouArgs with_operands(kernels::BoxIouArgs args, const RunContext& run) {
  args.lhs = run.inputs[0];
  args.rhs = run.inputs[1];
  args.dst = run.outputs[0];
  return args;
}

kernels::BoxEncodeArgs with_operands(kernels::BoxEncodeArgs args, const RunContext& run) {
  const void** inputs[6] = {&args.samples, &args.matches, &args.anchors, &args.refs, &args.means, &args.stds};
  for (std::size_t i = 0; i < 6; ++i) *inputs[i] = run.inputs[i];
  args.targets = run.outputs[0];
  args.masks = run.outputs[1];
  return args;
}

kernels::BoxDecodeArgs with_operands(kernels::BoxDecodeArgs args, const RunContext& run) {
  args.data = run.inputs[0];
  args.anchors = run.inputs[1];
  args.dst = run.outputs[0];
  return args;
}

std::vector<OpDef> box_ops() {
  return {
      {.name = "_contrib_box_iou",
       .summary = "Intersection over union of every box of lhs with every box of rhs.",
       .attrs = {format_attr("format", "corner")},
       .inputs = named_ports({"lhs", "rhs"}),
       .infer = infer_iou,
       .lower = lower_iou},
      {.name = "_contrib_box_encode",
       .summary = "Where samples > 0.5, refs[matches] encoded relative to anchors, and a mask; zeros "
                  "elsewhere, and for a match that is no row of refs (MXNet reads past refs).",
       .inputs = named_ports({"samples", "matches", "anchors", "refs", "means", "stds"}),
       .outputs = named_ports({"output0", "output1"}),
       .infer = infer_encode,
       .lower = lower_encode},
      {.name = "_contrib_box_decode",
       .summary = "The corners of boxes that are encoded relative to anchors.",
       .attrs = {number_attr("std0", 1), number_attr("std1", 1), number_attr("std2", 1),
                 number_attr("std3", 1), number_attr("clip", -1), format_attr("format", "center")},
       .inputs = named_ports({"data", "anchors"}),
       .infer = infer_decode,
       .lower = lower_decode},
      {.name = "_contrib_bipartite_matching",
       .summary = "Pairs rows with columns, best score first. Outputs: the column of each row and the row of "
                  "each column, or -1. topk > 0 stops after topk + 1 pairs, as in MXNet.",
       .attrs = {flag_attr("is_ascend", false), number_attr("threshold"), integer_attr("topk", -1)},
       .outputs = named_ports({"output0", "output1"}),
       .infer = infer_matching,
       .lower = lower_matching},
  };
}

}  // namespace mxinfer::ops
