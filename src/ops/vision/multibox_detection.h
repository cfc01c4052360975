// What a node of MultiBoxDetection computes, for the backends that do.
#pragma once

#include "kernels/nms/multibox_detection.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Without operands and work space; `prob` is the shape of the class probabilities.
kernels::MultiBoxDetectionArgs multibox_detection_args(const Attrs& attrs, const Shape& prob);

}  // namespace mxinfer::ops
