// Images of the caller, and lists of them, as the C++ interface takes them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/vision/image.h>
#include <mxinfer_c/image_classifier.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::c_api {

/// Copies the pixels.
Image image_of(const mxinfer_image* image);
ByteSpan encoded_of(const void* data, std::size_t bytes);
std::vector<std::string> paths_of(const char* const* paths, std::size_t count);
std::vector<ByteSpan> encoded_list(const mxinfer_bytes* encoded, std::size_t count);
/// Copies the pixels of all.
std::vector<Image> images_of(const mxinfer_image* images, std::size_t count);

}  // namespace mxinfer::c_api
