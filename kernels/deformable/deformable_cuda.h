// What deformable.h does, on a GPU, for `images` images, one behind the other in each array.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"
#include "kernels/deformable/deformable.h"

namespace mxinfer::kernels::cuda {

/// All output pixels: channels * taps rows of them for each image.
Status deformable_columns(const DeformableArgs<float>& args, std::int64_t images, float* columns,
                          const Stream& stream);

}  // namespace mxinfer::kernels::cuda
