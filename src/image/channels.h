// The channels of an image's pixels: alpha, 16 bits, colour and grey, as libpng treats those of a PNG.
//
//   Tensor pixels = image::plain_pixels(given);   // uint8 (height, width, 1 or 3)
//   Tensor grey = image::grey_pixels(given);      // uint8 (height, width, 1)
//
// Precondition: uint8 or uint16 (height, width, channels) of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB,
// alpha).
#pragma once

#include <mxinfer/tensor.h>

namespace mxinfer::image {

/// Drops alpha without blending; of 16 bits, keeps the upper 8.
Tensor plain_pixels(const TensorView& given);
/// Grey is (9797 R + 19234 G + 3737 B) / 2^15, the weights 0.299, 0.587 and 0.114 as libpng has them: of 8
/// bits rounded down; of 16 bits rounded to 16, whose upper 8 are kept.
Tensor grey_pixels(const TensorView& given);
/// Each grey value three times. Precondition: 1 channel of uint8.
Tensor color_pixels(const TensorView& grey);

}  // namespace mxinfer::image
