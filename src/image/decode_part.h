// Decodes only the pixels that will be read: the rest of a JPEG is parsed, so that damage is found, but not
// computed.
//
//   const auto choose = [](Size full) { return DecodePart{{full.width / 4, 0, full.width / 2, full.height}}; };
//   Image image = image::decode_part(bytes, options, choose);        // of the full size
#pragma once

#include <mxinfer/vision/image.h>

#include <optional>
#include <string>

#include "base/function_ref.h"

namespace mxinfer::image {

struct DecodePart {
  /// In the decoded image: the pixels outside are not initialised. Nothing: all pixels are needed.
  std::optional<Region> region{};
  int scale_denominator = 1;  ///< as in DecodeOptions, whose own is not used
};

/// The part that is needed of an image of this size, upright.
using ChoosePart = FunctionRef<DecodePart(Size full)>;

/// The sides of an image at 1 / denominator, rounded up.
Size scaled_size(Size full, int denominator);

/// As decode_image. A PNG, and a JPEG for which a part is not worth it, is decoded as a whole; a PNG at its
/// full size.
Image decode_part(ByteSpan encoded, const DecodeOptions& options, ChoosePart choose);

/// As read_image.
Image read_part(const std::string& path, const DecodeOptions& options, ChoosePart choose);

}  // namespace mxinfer::image
