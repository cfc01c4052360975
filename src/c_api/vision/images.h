// Images of the caller, and lists of them, as the C++ interface takes them; images of the library as the
// caller sees them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/point.h>
#include <mxinfer_c/image_segmenter.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::c_api {

/// Copies the pixels. `name` is the argument's for NullArgument.
Image image_of(const mxinfer_image* image, const char* name = "image");
ByteSpan encoded_of(const void* data, std::size_t bytes);
std::vector<std::string> paths_of(const char* const* paths, std::size_t count);
std::vector<ByteSpan> encoded_list(const mxinfer_bytes* encoded, std::size_t count);
/// Copies the pixels of all.
std::vector<Image> images_of(const mxinfer_image* images, std::size_t count);

/// Borrows the pixels; struct_size is for write_struct to set.
mxinfer_image struct_of(const Image& image);
/// The label image of one of several results. Rejects an image that is not there, or that failed.
const Image& label_image(const mxinfer_segmentations* segmentations, std::size_t image);
/// Points of the caller, x, y of one after another, as they stand in memory.
Span<const Point> points_of(const float* points, std::size_t count, const char* name);

}  // namespace mxinfer::c_api
