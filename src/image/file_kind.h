// What the bytes of a file are.
#pragma once

#include <mxinfer/byte_span.h>

namespace mxinfer::image {

/// Whether bytes, of which the first 64 are enough, begin like an image's file: a JPEG's, a PNG's, or that of
/// a format that decode_image names when it refuses it. No text of lines does.
bool begins_like_image(ByteSpan bytes);

}  // namespace mxinfer::image
