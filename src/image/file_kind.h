// Recognises image files by their bytes.
#pragma once

#include <mxinfer/byte_span.h>

namespace mxinfer::image {

/// Whether the bytes (the first 64 are enough) begin like an image file: a JPEG, a PNG, or a format that
/// decode_image names when it rejects it. Text files never do.
bool begins_like_image(ByteSpan bytes);

}  // namespace mxinfer::image
