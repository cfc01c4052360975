// The boxes that transforms of training get as input 1 and give as output 1.
#pragma once

#include "ops/augment/box_rows.h"
#include "ops/image/image_shape.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Throws Error unless input 1 is float32 or float64, (count, columns), with a batch of images (n, count,
/// columns), of 4 columns at least.
void require_boxes(const InferContext& context, const ImageShape& image);

/// The boxes of each image of a run.
class BoxesOfRun {
 public:
  explicit BoxesOfRun(const LowerContext& context);

  BoxRows read(const RunContext& run, std::int64_t image) const;
  void write(const BoxRows& boxes, const RunContext& run, std::int64_t image) const;

 private:
  DType dtype_;
  std::int64_t columns_, count_, bytes_;  ///< of one image
};

}  // namespace mxinfer::ops
