// ROIAlign, RROIAlign: averages of samples in regions, upright or turned.
#include "base/fail.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/roi_inputs.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kMostSamples = 4096;  // a side of a bin

kernels::RoiAlignArgs align_args(const OpProblem& context, const char* samples) {
  const Shape& out = context.output(0).shape;
  kernels::RoiAlignArgs args;
  set_map(context.attrs(), context.input(0).shape, args);
  args.out_channels = out[1];
  args.bins_y = out[2];
  args.bins_x = out[3];
  args.samples = context.attrs().integer(samples);
  return args;
}

Step align_step(std::string_view kernel, DType dtype) {
  Step step;
  step.kernel = concat(kernel, "_ref_", to_string(dtype), " [ref]");
  step.reason = "one channel of a region at a time";
  return step;
}

/// The kernel of an upright ROIAlign, with the scratch of a thread.
kernels::RoiAlignFn choose_align(const kernels::RoiAlignArgs& args, DType dtype, kernels::Target target,
                                 Step& step) {
  step = align_step("roi_align", dtype);
  if (dtype != DType::float32 || args.position_sensitive || target == kernels::Target::ref) {
    step.thread_scratch_bytes = kernels::roi_align_scratch(args);
    return kernels::select_roi_align(element_type(dtype));
  }
  step.kernel = concat("roi_align_f32 [", kernels::to_string(target), "]");
  step.reason = "rows of a bin summed at all pixels of a region's width, then their samples";
  step.thread_scratch_bytes = kernels::roi_align_f32_scratch(args);
  return kernels::select_roi_align_f32(target);
}

std::vector<TensorType> infer_align(const InferContext& context) {
  require_rois(context, 5);
  const auto size = pooled_size(context.attrs);
  std::int64_t channels = context.shape(0)[1];
  if (context.attrs.flag("position_sensitive")) {
    const std::int64_t bins = Shape{size[0], size[1]}.elements();
    if (channels % bins != 0) {
      fail(ErrorCode::invalid_argument, "data has ", channels, " channels, which do not divide by the ", bins,
           " bins of pooled_size, as position_sensitive asks for");
    }
    channels /= bins;
  }
  return {{context.dtype(0), Shape{context.shape(1)[0], channels, size[0], size[1]}}};
}

Step lower_align(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const kernels::RoiAlignArgs args = roi_align_args(context);
  const std::int64_t regions = context.input(1).shape[0], tasks = regions * args.out_channels;
  const std::int64_t grain = roi_grain(args);
  Step step;
  const kernels::RoiAlignFn run = choose_align(args, dtype, context.target(), step);
  step.run = [=](const RunContext& at_run) {
    kernels::RoiAlignArgs now = args;
    set_operands(at_run, now);
    check_rois(now.rois, dtype, regions, now.batch, {5, true, true});
    parallel_for(tasks, grain,
                 [&](std::int64_t begin, std::int64_t end) { run(now, at_run.my_scratch(), begin, end); });
  };
  return step;
}

std::vector<TensorType> infer_rotated(const InferContext& context) {
  require_rois(context, 6);
  const auto size = pooled_size(context.attrs);
  return {{context.dtype(0), Shape{context.shape(1)[0], context.shape(0)[1], size[0], size[1]}}};
}

/// Error if the number of samples follows from a region so large that they are too many to be taken: the
/// time would be the region's, not the map's.
void check_sizes(const kernels::RoiAlignArgs& args, DType dtype, std::int64_t regions) {
  if (args.samples > 0) return;
  const std::int64_t bins[] = {args.bins_x, args.bins_y};
  for (std::int64_t region = 0; region < regions; ++region) {
    for (std::int64_t i = 0; i < 2; ++i) {
      const double size = roi_number(args.rois, dtype, region * 6 + 3 + i);
      const double samples = size * static_cast<double>(args.scale) / static_cast<double>(bins[i]);
      if (samples <= static_cast<double>(kMostSamples)) continue;
      fail(ErrorCode::invalid_argument, "region ", region, " has ", i == 0 ? "a width" : "a height", " of ",
           size, ", which needs more than ", kMostSamples,
           " samples a bin; expected one that fits the image");
    }
  }
}

Step lower_rotated(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const kernels::RoiAlignArgs args = align_args(context, "sampling_ratio");
  const std::int64_t regions = context.input(1).shape[0], tasks = regions * args.out_channels;
  const std::int64_t grain = roi_grain(args);
  const kernels::RoiAlignRotatedFn run = kernels::select_roi_align_rotated(element_type(dtype));
  Step step = align_step("roi_align_rotated", dtype);
  step.run = [=](const RunContext& at_run) {
    kernels::RoiAlignArgs now = args;
    set_operands(at_run, now);
    check_rois(now.rois, dtype, regions, now.batch, {6, false, false});
    check_sizes(now, dtype, regions);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

}  // namespace

kernels::RoiAlignArgs roi_align_args(const OpProblem& node) {
  kernels::RoiAlignArgs args = align_args(node, "sample_ratio");
  args.aligned = node.attrs().flag("aligned");
  args.position_sensitive = node.attrs().flag("position_sensitive");
  return args;
}

std::vector<OpDef> roi_align_ops() {
  OpDef align;
  align.name = "_contrib_ROIAlign";
  align.summary =
      "The average of sample_ratio^2 bilinear samples in each of pooled_size bins of a region (batch index, "
      "xmin, ymin, xmax, ymax). 0 for a region with a negative batch index (MXNet leaves it unwritten) and, "
      "with aligned, for one without area (MXNet terminates).";
  align.attrs = {graph::tuple_attr("pooled_size"), spatial_scale_attr(),
                 graph::integer_attr("sample_ratio", -1).at_most(kMostSamples),
                 graph::flag_attr("position_sensitive", false), graph::flag_attr("aligned", false)};
  align.inputs = [](const Attrs&) { return PortNames{{"data", "rois"}}; };
  align.infer = infer_align;
  align.lower = lower_align;

  OpDef rotated;
  rotated.name = "_contrib_RROIAlign";
  rotated.summary =
      "ROIAlign for regions (batch index, x, y, width, height, degrees) that are rotated around their "
      "center.";
  rotated.attrs = {graph::tuple_attr("pooled_size"), spatial_scale_attr(),
                   graph::integer_attr("sampling_ratio", -1).at_most(kMostSamples)};
  rotated.inputs = align.inputs;
  rotated.infer = infer_rotated;
  rotated.lower = lower_rotated;

  return {align, rotated};
}

}  // namespace mxinfer::ops
