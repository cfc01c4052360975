// box_iou, box_encode, box_decode: how boxes overlap, and their coding relative to anchors.
#include "ops/vision/boxes.h"

#include <algorithm>
#include <string>

#include "ops/common/real_inputs.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

using kernels::BoxFormat;

constexpr std::int64_t kBoxGrain = 2048;

BoxFormat format_of(const Attrs& attrs) {
  return attrs.choice("format") == "center" ? BoxFormat::center : BoxFormat::corner;
}

graph::AttrSpec format_attr(std::string name, std::string default_value) {
  return graph::choice_attr(std::move(name), {"center", "corner"}, std::move(default_value));
}

Step box_step(std::string_view kernel, DType dtype) {
  Step step;
  step.kernel = concat(kernel, "_ref_", to_string(dtype), " [ref]");
  step.reason = "one box at a time";
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
  const std::int64_t grain = std::max<std::int64_t>(1, kBoxGrain / std::max<std::int64_t>(1, args.columns));
  const kernels::BoxIouFn run = kernels::select_box_iou(element_type(dtype));
  Step step = box_step("box_iou", dtype);
  step.run = [=](const RunContext& at_run) {
    const kernels::BoxIouArgs now = with_operands(args, at_run);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
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
  const kernels::BoxEncodeArgs args = box_encode_args(context);
  const std::int64_t rows = context.input(0).shape.elements();
  const kernels::BoxEncodeFn run = kernels::select_box_encode(element_type(dtype));
  Step step = box_step("box_encode", dtype);
  step.run = [=](const RunContext& at_run) {
    const kernels::BoxEncodeArgs now = with_operands(args, at_run);
    parallel_for(rows, kBoxGrain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
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
  const kernels::BoxDecodeArgs args = box_decode_args(context);
  const std::int64_t rows = context.input(0).shape.elements() / 4;
  const kernels::Target target = context.target();
  // Without fused products the exponential of vectors takes longer than the library's.
  const bool has_vectors = dtype == DType::float32 && target >= kernels::Target::avx2;
  const kernels::BoxDecodeFn run =
      has_vectors ? kernels::select_box_decode_f32(target) : kernels::select_box_decode(element_type(dtype));
  Step step = box_step("box_decode", dtype);
  if (has_vectors) step.kernel = concat("box_decode_float32 [", kernels::to_string(target), "]");
  step.run = [=](const RunContext& at_run) {
    const kernels::BoxDecodeArgs now = with_operands(args, at_run);
    parallel_for(rows, kBoxGrain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

}  // namespace

kernels::BoxIouArgs box_iou_args(const OpProblem& node) {
  kernels::BoxIouArgs args;
  args.format = format_of(node.attrs());
  args.columns = node.input(1).shape.elements() / 4;
  return args;
}

kernels::BoxEncodeArgs box_encode_args(const OpProblem& node) {
  kernels::BoxEncodeArgs args;
  args.anchor_count = node.input(0).shape[1];
  args.references = node.input(3).shape[1];
  return args;
}

kernels::BoxDecodeArgs box_decode_args(const OpProblem& node) {
  kernels::BoxDecodeArgs args;
  args.anchor_count = node.input(0).shape[1];
  args.format = format_of(node.attrs());
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
  OpDef iou;
  iou.name = "_contrib_box_iou";
  iou.summary = "Intersection over union of every box of lhs with every box of rhs.";
  iou.attrs = {format_attr("format", "corner")};
  iou.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs"}}; };
  iou.infer = infer_iou;
  iou.lower = lower_iou;

  OpDef encode;
  encode.name = "_contrib_box_encode";
  encode.summary =
      "Where samples > 0.5, refs[matches] encoded relative to anchors, and a mask; zeros elsewhere, and for "
      "a match that is no row of refs (MXNet reads past refs).";
  encode.inputs = [](const Attrs&) {
    return PortNames{{"samples", "matches", "anchors", "refs", "means", "stds"}};
  };
  encode.outputs = [](const Attrs&) { return PortNames{{"output0", "output1"}}; };
  encode.infer = infer_encode;
  encode.lower = lower_encode;

  OpDef decode;
  decode.name = "_contrib_box_decode";
  decode.summary = "The corners of boxes that are encoded relative to anchors.";
  decode.attrs = {graph::number_attr("std0", 1),  graph::number_attr("std1", 1),
                  graph::number_attr("std2", 1),  graph::number_attr("std3", 1),
                  graph::number_attr("clip", -1), format_attr("format", "center")};
  decode.inputs = [](const Attrs&) { return PortNames{{"data", "anchors"}}; };
  decode.infer = infer_decode;
  decode.lower = lower_decode;

  return {iou, encode, decode};
}

}  // namespace mxinfer::ops
