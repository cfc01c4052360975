// From pixels to the input of a network.
//
//   to_tensor:  dst[c][i] = float(src[i][c] / 255)     for pixels i: HWC to CHW
//   normalize:  dst[i] = (src[i] - mean) / deviation   for the elements of one channel
//
// Both compute in float, in double for double, and round each result for float16. normalize converts back as
// convert() of element_type.h does: whole numbers are cut, and wrap around. src and dst may be the same
// memory there.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// Pixels [begin, end) of one image of `channels` and `pixels` in all.
using ImageToTensorFn = void (*)(const void* src, float* dst, std::int64_t channels, std::int64_t pixels,
                                 std::int64_t begin, std::int64_t end);
/// Null for types without one.
ImageToTensorFn select_image_to_tensor(ElementType type);

/// `n` elements that share a mean and a deviation.
using ImageNormalizeFn = void (*)(const void* src, void* dst, std::int64_t n, float mean, float deviation);
/// Null for types without one.
ImageNormalizeFn select_image_normalize(ElementType type);

}  // namespace mxinfer::kernels
