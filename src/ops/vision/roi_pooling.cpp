// ROIPooling: maxima over regions.
#include "base/fail.h"
#include "ops/elementwise/elementwise.h"
#include "ops/vision/roi_inputs.h"

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
  Step step;
  step.kernel = concat("roi_pool_ref_", to_string(dtype), " [ref]");
  step.reason = "one channel of a region at a time";
  step.run = [=](const RunContext& at_run) {
    kernels::RoiArgs now = args;
    set_operands(at_run, now);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

}  // namespace

kernels::RoiArgs roi_pool_args(const OpProblem& node) {
  kernels::RoiArgs args;
  set_map(node.attrs(), node.input(0).shape, args);
  args.out_channels = args.channels;
  args.bins_y = node.output(0).shape[2];
  args.bins_x = node.output(0).shape[3];
  return args;
}

std::vector<OpDef> roi_pooling_ops() {
  OpDef op;
  op.name = "ROIPooling";
  op.aliases = {"_npx_roi_pooling"};
  op.summary =
      "The maximum over each of pooled_size bins of a region (batch index, xmin, ymin, xmax, ymax) that is "
      "rounded to pixels; 0 for an empty bin and for a batch index outside the batch.";
  op.attrs = {graph::tuple_attr("pooled_size"), spatial_scale_attr()};
  op.inputs = [](const Attrs&) { return PortNames{{"data", "rois"}}; };
  op.infer = infer_roi_pool;
  op.lower = lower_roi_pool;
  return {op};
}

}  // namespace mxinfer::ops
