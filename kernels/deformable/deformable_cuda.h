// What deformable.h does, on a GPU, for several images at a time. The image and its columns are of one type,
// which may have 16 bits, and so may offsets and masks; places and interpolation are float32.
#pragma once

#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/deformable/deformable.h"

namespace mxinfer::kernels::cuda {

/// As DeformableArgs, but src and columns are of `type`, and arrays have `images` images, one behind the
/// other.
struct DeformableColumns {
  DeformableShape shape;
  FloatType type = FloatType::float32;
  std::int64_t images = 1;
  const void* src = nullptr;
  const void *offset = nullptr, *mask = nullptr;
  FloatType offset_type = FloatType::float32;  ///< float32, or `type`
  FloatType mask_type = FloatType::float32;    ///< likewise
  void* columns = nullptr;
  std::int64_t row = 0;  ///< elements from a row of columns to the next: at least shape.pixels()
};

/// All output pixels: channels * taps rows of them for each image. What is behind the pixels of a row is not
/// written.
Status deformable_columns(const DeformableColumns& args, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
