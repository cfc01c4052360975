// What nodes of operators on boxes compute, for the backends that do: arguments of kernels without operands
// and work space. What the operators on regions of feature maps have in common.
#pragma once

#include "kernels/boxes/boxes.h"
#include "kernels/boxes/multibox_prior.h"
#include "kernels/nms/box_nms.h"
#include "kernels/nms/multibox_detection.h"
#include "kernels/proposal/proposal.h"
#include "kernels/roi/roi.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

// Without operands.
kernels::BoxIouArgs box_iou_args(const OpProblem& node);
kernels::BoxEncodeArgs box_encode_args(const OpProblem& node);
kernels::BoxDecodeArgs box_decode_args(const OpProblem& node);

// With the memory of a run.
kernels::BoxIouArgs with_operands(kernels::BoxIouArgs args, const RunContext& run);
kernels::BoxEncodeArgs with_operands(kernels::BoxEncodeArgs args, const RunContext& run);
kernels::BoxDecodeArgs with_operands(kernels::BoxDecodeArgs args, const RunContext& run);

/// Without operands and work space. topk below 1: every row stays as it is.
kernels::BoxNmsArgs box_nms_args(const Attrs& attrs, const Shape& shape);

/// Without operands and work space; `prob` is the shape of the class probabilities.
kernels::MultiBoxDetectionArgs multibox_detection_args(const Attrs& attrs, const Shape& prob);

struct MultiBoxPriorProblem {
  kernels::MultiBoxPriorArgs args;  ///< without dst, sizes and ratios
  std::vector<float> sizes, ratios;
};
MultiBoxPriorProblem multibox_prior_problem(const Attrs& attrs, const Shape& map);

/// The corners of the anchors around the first pixel.
std::vector<float> proposal_anchors(const Attrs& attrs);

/// Without operands and work space; `prob` is the shape of the class probabilities.
kernels::ProposalArgs proposal_args(const Attrs& attrs, const Shape& prob);

AttrSpec spatial_scale_attr();

/// Error unless data is (batch, channel, y, x), not empty, and rois is (regions, columns), all of one float
/// dtype.
void require_rois(const InferContext& context, std::int64_t columns);

/// The two sizes of an attribute, each at least 1.
std::vector<std::int64_t> pooled_size(const Attrs& attrs);

/// Fills batch, channels, height, width and scale.
void set_map(const Attrs& attrs, const Shape& data, kernels::RoiArgs& args);

// What a node of ROIPooling, ROIAlign, and PSROIPooling or its deformable form computes; without operands.
kernels::RoiArgs roi_pool_args(const OpProblem& node);
kernels::RoiAlignArgs roi_align_args(const OpProblem& node);
kernels::PsRoiPoolArgs psroi_pool_args(const OpProblem& node);
/// Of RROIAlign, and of DeformablePSROIPooling: input 2 are the offsets unless `classes` is 0.
kernels::RoiAlignArgs roi_align_rotated_args(const OpProblem& node);
kernels::PsRoiPoolArgs deformable_psroi_pool_args(const OpProblem& node);

/// Puts the memory of this run in its place.
void set_operands(const RunContext& at_run, kernels::RoiArgs& args);

/// Number i of an array of one of the float dtypes.
double roi_number(const void* numbers, DType dtype, std::int64_t i);

/// Which regions an operator takes.
struct RoiRules {
  std::int64_t columns = 5;
  bool negative_index = false;  ///< a negative batch index is taken
  bool any_position = false;    ///< coordinates may be anything; otherwise finite and below 2^30
};

/// Error(invalid_argument) names the first region that breaks the rules. For the start of a run.
void check_rois(const void* rois, DType dtype, std::int64_t count, std::int64_t batch, const RoiRules& rules);

/// Tasks of `bins` outputs that make a piece of a loop.
std::int64_t roi_grain(const kernels::RoiArgs& args);

}  // namespace mxinfer::ops
