// What the operators that put a border around images ask of their kernels.
#pragma once

#include <mxinfer/tensor.h>

#include "kernels/image/border.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ImageBorder {
  kernels::ImageBorderArgs args;
  std::int64_t images;
  Tensor pixel;  ///< of a border that is constant
};

/// Of _cvcopyMakeBorder or _mxinfer_pad_image.
ImageBorder image_border(const OpProblem& node);

}  // namespace mxinfer::ops
