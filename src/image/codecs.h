// The two decoders behind decode_image, and the rotation of images. Bytes in, pixels out.
//
//   Tensor pixels = image::decode_jpeg(bytes, options);   // (height, width, 1 or 3)
//
// Errors are those of decode_image.
#pragma once

#include <mxinfer/vision/image.h>

#include "image/decode_part.h"

namespace mxinfer::image {

/// `choose` may be null: the whole image at options.scale_denominator.
Tensor decode_jpeg(Span<const std::uint8_t> bytes, const DecodeOptions& options,
                   const ChoosePart* choose = nullptr);
Tensor decode_png(Span<const std::uint8_t> bytes, const DecodeOptions& options);

/// Throws Error(unsupported) for more than options.max_pixels; called before memory is allocated for them.
void check_pixel_count(std::int64_t width, std::int64_t height, const DecodeOptions& options);

/// The orientation tag (1..8) of an EXIF segment that begins with "Exif\0\0"; 1 if it has no readable one.
int exif_orientation(Span<const std::uint8_t> segment);

/// Rotates (height, width, channels) pixels with that orientation upright; orientations 5..8 swap the sides.
Tensor turn_upright(Tensor pixels, int orientation);

}  // namespace mxinfer::image
