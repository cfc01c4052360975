// What a node of box_nms computes, for the backends that do.
#pragma once

#include "kernels/nms/box_nms.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Without operands and work space. topk below 1: every row stays as it is.
kernels::BoxNmsArgs box_nms_args(const Attrs& attrs, const Shape& shape);

}  // namespace mxinfer::ops
