#include "ops/vision/roi_inputs.h"

#include <algorithm>
#include <cmath>

#include "ops/common/real_inputs.h"

namespace mxinfer::ops {

double roi_number(const void* numbers, DType dtype, std::int64_t i) {
  if (dtype == DType::float64) return static_cast<const double*>(numbers)[i];
  if (dtype == DType::float16) {
    return static_cast<double>(static_cast<float>(static_cast<const kernels::Float16*>(numbers)[i]));
  }
  return static_cast<double>(static_cast<const float*>(numbers)[i]);
}

AttrSpec spatial_scale_attr() {
  return graph::number_attr("spatial_scale").at_least(0).at_most(1);
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
  return std::max<std::int64_t>(1, 1024 / std::max<std::int64_t>(1, args.bins()));
}

}  // namespace mxinfer::ops
