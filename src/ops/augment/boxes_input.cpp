#include "ops/augment/boxes_input.h"

#include "base/fail.h"

namespace mxinfer::ops {

void require_boxes(const InferContext& context, const ImageShape& image) {
  const Shape& shape = context.shape(1);
  const DType dtype = context.dtype(1);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "boxes of ", to_string(dtype), " were given; expected float32 or float64");
  }
  const bool fits = shape.rank() == (image.batch ? 3u : 2u) && (!image.batch || shape[0] == image.images) &&
                    shape.back() >= 4;
  if (fits) return;
  fail(ErrorCode::invalid_argument, "boxes have shape ", to_string(shape), "; expected ",
       image.batch ? "(" + std::to_string(image.images) + ", count, columns)"
                   : std::string("(count, columns)"),
       ", whose first 4 columns are left, top, right and bottom in pixels, for ",
       context.inputs[0].shape.rank(), "-dimensional images");
}

BoxesOfRun::BoxesOfRun(const LowerContext& context)
    : dtype_(context.input(1).dtype), columns_(context.input(1).shape.back()) {
  const Shape& shape = context.input(1).shape;
  count_ = shape[shape.rank() - 2];
  bytes_ = count_ * columns_ * static_cast<std::int64_t>(size_of(dtype_));
}

BoxRows BoxesOfRun::read(const RunContext& run, std::int64_t image) const {
  return BoxRows::read(run.input<std::byte>(1) + image * bytes_, dtype_, count_, columns_);
}

void BoxesOfRun::write(const BoxRows& boxes, const RunContext& run, std::int64_t image) const {
  boxes.write(run.output<std::byte>(1) + image * bytes_, dtype_, count_);
}

}  // namespace mxinfer::ops
