// ROIPooling: maxima over regions. ROIAlign, RROIAlign: averages of samples in regions, upright or turned.
// PSROIPooling, DeformablePSROIPooling: averages over regions whose bins have channels of their own.
#include <cmath>

#include "ops/common/float_types.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/detection.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_roi_pool(const InferContext& context) {
  require_rois(context, 5);
  const auto size = pooled_size(context.attrs);
  return {{context.dtype(0), Shape{context.shape(1)[0], context.shape(0)[1], size[0], size[1]}}};
}

Step lower_roi_pool(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const Shape& out = context.output(0).shape;
  const kernels::RoiArgs args = roi_pool_args(context);
  const std::int64_t tasks = out[0] * out[1], grain = roi_grain(args);
  const kernels::RoiPoolFn run = kernels::select_roi_pool(element_type(dtype));
  Step step{.kernel = ref_kernel("roi_pool", dtype), .reason = "one channel of a region at a time"};
  step.run = [=](const RunContext& at_run) {
    kernels::RoiArgs now = args;
    set_operands(at_run, now);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

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
  Step step{.kernel = ref_kernel(kernel, dtype), .reason = "one channel of a region at a time"};
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
  step.kernel = labelled("roi_align_f32", target);
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
    parallel_for(tasks, grain, [&](auto begin, auto end) { run(now, at_run.my_scratch(), begin, end); });
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
  const kernels::RoiAlignArgs args = roi_align_rotated_args(context);
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

using kernels::PsRoiPoolArgs;

// Of the attribute, or pooled_size if that is 0.
std::int64_t size_or_pooled(const Attrs& attrs, std::string_view name) {
  const std::int64_t size = attrs.integer(name);
  return size == 0 ? attrs.integer("pooled_size") : size;
}

void require_channels(const InferContext& context, std::int64_t groups) {
  const std::int64_t needed = Shape{context.attrs.integer("output_dim"), groups, groups}.elements();
  if (context.shape(0)[1] < needed) {
    fail(ErrorCode::invalid_argument, "data has ", context.shape(0)[1],
         " channels; output_dim=", context.attrs.integer("output_dim"), " in ", groups, " x ", groups,
         " groups needs ", needed);
  }
}

TensorType pooled_type(const InferContext& context) {
  const std::int64_t size = context.attrs.integer("pooled_size");
  return {context.dtype(0), Shape{context.shape(1)[0], context.attrs.integer("output_dim"), size, size}};
}

Step psroi_step(std::string_view kernel, const PsRoiPoolArgs& args, kernels::PsRoiPoolFn run, DType dtype,
                std::int64_t regions) {
  const std::int64_t tasks = regions * args.out_channels, grain = roi_grain(args);
  const bool deformed = args.classes > 0 && args.parts > 0;
  Step step{.kernel = ref_kernel(kernel, dtype), .reason = "one channel of a region at a time"};
  step.run = [=](const RunContext& at_run) {
    PsRoiPoolArgs now = args;
    set_operands(at_run, now);
    now.trans = deformed ? at_run.inputs[2] : nullptr;
    check_rois(now.rois, dtype, regions, now.batch, {});
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

std::vector<TensorType> infer_psroi(const InferContext& context) {
  require_rois(context, 5);
  require_channels(context, size_or_pooled(context.attrs, "group_size"));
  return {pooled_type(context)};
}

Step lower_psroi(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  PsRoiPoolArgs args = psroi_pool_args(context);
  args.classes = 0;
  return psroi_step("psroi_pool", args, kernels::select_psroi_pool(element_type(dtype)), dtype,
                    context.input(1).shape[0]);
}

std::vector<TensorType> infer_deformable(const InferContext& context) {
  require_rois(context, 5);
  require_channels(context, size_or_pooled(context.attrs, "group_size"));
  if (!context.attrs.flag("no_trans")) {
    const Shape& trans = context.shape(2);
    const std::int64_t parts = size_or_pooled(context.attrs, "part_size");
    const std::int64_t channels = context.attrs.integer("output_dim");
    const bool fits = trans.rank() == 4 && trans[0] == context.shape(1)[0] && trans[2] == parts &&
                      trans[3] == parts && trans[1] > 0 && trans[1] % 2 == 0 &&
                      channels % (trans[1] / 2) == 0;
    if (!fits) {
      fail(ErrorCode::invalid_argument, "trans has the shape ", to_string(trans), "; expected (",
           context.shape(1)[0], ", 2 * classes, ", parts, ", ", parts,
           "), where the classes divide output_dim=", channels);
    }
  }
  return {pooled_type(context)};
}

Step lower_deformable(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const PsRoiPoolArgs args = deformable_psroi_pool_args(context);
  return psroi_step("deformable_psroi_pool", args, kernels::select_deformable_psroi_pool(element_type(dtype)),
                    dtype, context.input(1).shape[0]);
}

AttrSpec count_attr(const char* name) {
  return integer_attr(name).at_least(1).at_most(65536);
}

PortNames deformable_inputs(const Attrs& attrs) {
  return attrs.flag("no_trans") ? PortNames{{"data", "rois"}} : PortNames{{"data", "rois", "trans"}};
}

}  // namespace

double roi_number(const void* numbers, DType dtype, std::int64_t i) {
  if (dtype == DType::float64) return static_cast<const double*>(numbers)[i];
  if (dtype == DType::float16) {
    return static_cast<double>(static_cast<float>(static_cast<const kernels::Float16*>(numbers)[i]));
  }
  return static_cast<double>(static_cast<const float*>(numbers)[i]);
}

AttrSpec spatial_scale_attr() {
  return number_attr("spatial_scale").at_least(0).at_most(1);
}

void require_rois(const InferContext& context, std::int64_t columns) {
  require_real_inputs(context);
  const Shape &data = context.shape(0), &rois = context.shape(1);
  if (data.rank() != 4 || data.elements() == 0) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data),
         "; expected (batch, channel, y, x), not empty");
  }
  if (rois.rank() != 2 || rois[1] != columns) {
    fail(ErrorCode::invalid_argument, "rois has the shape ", to_string(rois), "; expected (regions, ",
         columns, ")");
  }
}

std::vector<std::int64_t> pooled_size(const Attrs& attrs) {
  const std::vector<std::int64_t> size = attrs.tuple("pooled_size");
  if (size.size() != 2 || size[0] < 1 || size[1] < 1) {
    fail(ErrorCode::malformed, "attribute pooled_size holds ", size.size(),
         " sizes, or one below 1; expected (y, x)");
  }
  return size;
}

void set_map(const Attrs& attrs, const Shape& data, kernels::RoiArgs& args) {
  args.batch = data[0];
  args.channels = data[1];
  args.height = data[2];
  args.width = data[3];
  args.scale = attrs.number32("spatial_scale");
}

void set_operands(const RunContext& at_run, kernels::RoiArgs& args) {
  args.data = at_run.inputs[0];
  args.rois = at_run.inputs[1];
  args.dst = at_run.outputs[0];
}

void check_rois(const void* rois, DType dtype, std::int64_t count, std::int64_t batch,
                const RoiRules& rules) {
  for (std::int64_t region = 0; region < count; ++region) {
    const double index = std::trunc(roi_number(rois, dtype, region * rules.columns));
    const bool fits = index < static_cast<double>(batch) && (index >= 0 || rules.negative_index);
    if (!fits) {
      fail(ErrorCode::invalid_argument, "region ", region, " is of image ", index, " of a batch of ", batch);
    }
    for (std::int64_t i = 1; i < rules.columns && !rules.any_position; ++i) {
      const double value = roi_number(rois, dtype, region * rules.columns + i);
      if (!(std::abs(value) < 1073741824.0)) {
        fail(ErrorCode::invalid_argument, "region ", region, " has the coordinate ", value);
      }
    }
  }
}

std::int64_t roi_grain(const kernels::RoiArgs& args) {
  return piece_grain(1024, args.bins());
}

kernels::RoiArgs roi_pool_args(const OpProblem& node) {
  kernels::RoiArgs args;
  set_map(node.attrs(), node.input(0).shape, args);
  args.out_channels = args.channels;
  args.bins_y = node.output(0).shape[2];
  args.bins_x = node.output(0).shape[3];
  return args;
}

std::vector<OpDef> roi_pooling_ops() {
  return {{.name = "ROIPooling",
           .aliases = {"_npx_roi_pooling"},
           .summary =
               "The maximum over each of pooled_size bins of a region (batch index, xmin, ymin, xmax, ymax) "
               "that is rounded to pixels; 0 for an empty bin and for a batch index outside the batch.",
           .attrs = {tuple_attr("pooled_size"), spatial_scale_attr()},
           .inputs = named_ports({"data", "rois"}),
           .infer = infer_roi_pool,
           .lower = lower_roi_pool}};
}

kernels::RoiAlignArgs roi_align_args(const OpProblem& node) {
  kernels::RoiAlignArgs args = align_args(node, "sample_ratio");
  args.aligned = node.attrs().flag("aligned");
  args.position_sensitive = node.attrs().flag("position_sensitive");
  return args;
}

kernels::RoiAlignArgs roi_align_rotated_args(const OpProblem& node) {
  return align_args(node, "sampling_ratio");
}

std::vector<OpDef> roi_align_ops() {
  OpDef align;
  align.name = "_contrib_ROIAlign";
  align.summary =
      "The average of sample_ratio^2 bilinear samples in each of pooled_size bins of a region (batch index, "
      "xmin, ymin, xmax, ymax). 0 for a region with a negative batch index (MXNet leaves it unwritten) and, "
      "with aligned, for one without area (MXNet terminates).";
  align.attrs = {tuple_attr("pooled_size"), spatial_scale_attr(),
                 integer_attr("sample_ratio", -1).at_most(kMostSamples),
                 flag_attr("position_sensitive", false), flag_attr("aligned", false)};
  align.inputs = named_ports({"data", "rois"});
  align.infer = infer_align;
  align.lower = lower_align;

  OpDef rotated;
  rotated.name = "_contrib_RROIAlign";
  rotated.summary =
      "ROIAlign for regions (batch index, x, y, width, height, degrees) that are rotated around their "
      "center.";
  rotated.attrs = {tuple_attr("pooled_size"), spatial_scale_attr(),
                   integer_attr("sampling_ratio", -1).at_most(kMostSamples)};
  rotated.inputs = align.inputs;
  rotated.infer = infer_rotated;
  rotated.lower = lower_rotated;

  return {align, rotated};
}

kernels::PsRoiPoolArgs psroi_pool_args(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  kernels::PsRoiPoolArgs args;
  set_map(attrs, node.input(0).shape, args);
  args.out_channels = attrs.integer("output_dim");
  args.bins_y = args.bins_x = attrs.integer("pooled_size");
  args.groups = size_or_pooled(attrs, "group_size");
  return args;
}

kernels::PsRoiPoolArgs deformable_psroi_pool_args(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  kernels::PsRoiPoolArgs args = psroi_pool_args(node);
  args.classes = attrs.flag("no_trans") ? 0 : node.input(2).shape[1] / 2;
  args.parts = size_or_pooled(attrs, "part_size");
  args.samples = attrs.integer("sample_per_part");
  args.trans_std = attrs.number32("trans_std");
  return args;
}

std::vector<OpDef> psroi_pooling_ops() {
  return {
      {.name = "_contrib_PSROIPooling",
       .summary = "The average over each of pooled_size^2 bins of a region, where each group of bins reads "
                  "its own channels; group_size=0 means pooled_size.",
       .attrs = {spatial_scale_attr(), count_attr("output_dim"), count_attr("pooled_size"),
                 integer_attr("group_size", 0).at_least(0).at_most(65536)},
       .inputs = named_ports({"data", "rois"}),
       .infer = infer_psroi,
       .lower = lower_psroi},
      {.name = "_contrib_DeformablePSROIPooling",
       .summary = "PSROIPooling over sample_per_part^2 bilinear samples in each bin, moved by trans * "
                  "trans_std of the region's size; part_size=0 means pooled_size.",
       .attrs = {spatial_scale_attr(), count_attr("output_dim"), count_attr("group_size"),
                 count_attr("pooled_size"), integer_attr("part_size", 0).at_least(0).at_most(65536),
                 integer_attr("sample_per_part", 1).at_least(1).at_most(4096),
                 number_attr("trans_std", 0).at_least(0).at_most(1), flag_attr("no_trans", false)},
       .inputs = deformable_inputs,
       .infer = infer_deformable,
       .lower = lower_deformable},
  };
}

}  // namespace mxinfer::ops
