// PSROIPooling, DeformablePSROIPooling: averages over regions whose bins have channels of their own.
#include "base/fail.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/roi_inputs.h"

namespace mxinfer::ops {
namespace {

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
  Step step;
  step.kernel = concat(kernel, "_ref_", to_string(dtype), " [ref]");
  step.reason = "one channel of a region at a time";
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
  const Attrs& attrs = context.attrs();
  const DType dtype = context.input(0).dtype;
  PsRoiPoolArgs args = psroi_pool_args(context);
  args.classes = attrs.flag("no_trans") ? 0 : context.input(2).shape[1] / 2;
  args.parts = size_or_pooled(attrs, "part_size");
  args.samples = attrs.integer("sample_per_part");
  args.trans_std = attrs.number32("trans_std");
  return psroi_step("deformable_psroi_pool", args, kernels::select_deformable_psroi_pool(element_type(dtype)),
                    dtype, context.input(1).shape[0]);
}

graph::AttrSpec count_attr(const char* name) {
  return graph::integer_attr(name).at_least(1).at_most(65536);
}

}  // namespace

kernels::PsRoiPoolArgs psroi_pool_args(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  kernels::PsRoiPoolArgs args;
  set_map(attrs, node.input(0).shape, args);
  args.out_channels = attrs.integer("output_dim");
  args.bins_y = args.bins_x = attrs.integer("pooled_size");
  args.groups = size_or_pooled(attrs, "group_size");
  return args;
}

std::vector<OpDef> psroi_pooling_ops() {
  OpDef psroi;
  psroi.name = "_contrib_PSROIPooling";
  psroi.summary =
      "The average over each of pooled_size^2 bins of a region, where each group of bins reads its own "
      "channels; group_size=0 means pooled_size.";
  psroi.attrs = {spatial_scale_attr(), count_attr("output_dim"), count_attr("pooled_size"),
                 graph::integer_attr("group_size", 0).at_least(0).at_most(65536)};
  psroi.inputs = [](const Attrs&) { return PortNames{{"data", "rois"}}; };
  psroi.infer = infer_psroi;
  psroi.lower = lower_psroi;

  OpDef deformable;
  deformable.name = "_contrib_DeformablePSROIPooling";
  deformable.summary =
      "PSROIPooling over sample_per_part^2 bilinear samples in each bin, moved by trans * trans_std of the "
      "region's size; part_size=0 means pooled_size.";
  deformable.attrs = {spatial_scale_attr(),
                      count_attr("output_dim"),
                      count_attr("group_size"),
                      count_attr("pooled_size"),
                      graph::integer_attr("part_size", 0).at_least(0).at_most(65536),
                      graph::integer_attr("sample_per_part", 1).at_least(1).at_most(4096),
                      graph::number_attr("trans_std", 0).at_least(0).at_most(1),
                      graph::flag_attr("no_trans", false)};
  deformable.inputs = [](const Attrs& attrs) {
    return attrs.flag("no_trans") ? PortNames{{"data", "rois"}} : PortNames{{"data", "rois", "trans"}};
  };
  deformable.infer = infer_deformable;
  deformable.lower = lower_deformable;

  return {psroi, deformable};
}

}  // namespace mxinfer::ops
