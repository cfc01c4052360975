#include "c_api/vision/images.h"

#include <cstring>
#include <utility>

#include "c_api/call.h"
#include "c_api/structs.h"
#include "c_api/vision/handles.h"

namespace mxinfer::c_api {
namespace {

DType sample_type(std::int32_t bits) {
  if (bits == 0 || bits == 8) return DType::uint8;
  if (bits == 16) return DType::uint16;
  reject("the samples of an image have " + std::to_string(bits) + " bits; expected 8, 0 for 8, or 16");
}

Image copy_image(const mxinfer_image& image) {
  if (image.width < 1 || image.height < 1 || image.channels < 1 || image.channels > 4) {
    reject("an image has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
           " pixels of " + std::to_string(image.channels) +
           " channels; expected sides of 1 or more, and 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha) "
           "channels");
  }
  const DType dtype = sample_type(image.bits);
  const auto row =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * size_of(dtype);
  const std::size_t stride = image.row_stride == 0 ? row : image.row_stride;
  if (stride < row) {
    reject("the rows of an image are " + std::to_string(stride) + " bytes apart but have " +
           std::to_string(row) + "; expected a row_stride of at least that, or 0");
  }
  need(image.pixels, "pixels of an image");
  Tensor pixels = Tensor::uninitialized(dtype, {image.height, image.width, image.channels});
  auto* to = static_cast<std::uint8_t*>(pixels.raw());
  for (std::int32_t y = 0; y < image.height; ++y)
    std::memcpy(to + static_cast<std::size_t>(y) * row, image.pixels + static_cast<std::size_t>(y) * stride,
                row);
  return Image(std::move(pixels));
}

}  // namespace

Image image_of(const mxinfer_image* image, const char* name) {
  return copy_image(read_struct(need(image, name)));
}

ByteSpan encoded_of(const void* data, std::size_t bytes) {
  return need_bytes(data, bytes, "encoded");
}

std::vector<std::string> paths_of(const char* const* paths, std::size_t count) {
  return need_texts(paths, count, "paths", "path of a list");
}

std::vector<ByteSpan> encoded_list(const mxinfer_bytes* encoded, std::size_t count) {
  std::vector<ByteSpan> list;
  if (count > 0) need(encoded, "encoded");
  for (std::size_t i = 0; i < count; ++i) {
    const mxinfer_bytes item = read_element(encoded, i);
    list.push_back(encoded_of(item.data, item.bytes));
  }
  return list;
}

std::vector<Image> images_of(const mxinfer_image* images, std::size_t count) {
  std::vector<Image> list;
  if (count > 0) need(images, "images");
  for (std::size_t i = 0; i < count; ++i) list.push_back(copy_image(read_element(images, i)));
  return list;
}

mxinfer_image struct_of(const Image& image) {
  return {0, image.pixels().data(), image.width(), image.height(), image.channels(), 0, 8};
}

const Image& label_image(const mxinfer_segmentations* segmentations, std::size_t image) {
  const std::vector<Segmentation>& images = need(segmentations, "segmentations").images;
  if (image >= images.size()) no_such("image", image, images.size());
  if (images[image].labels.empty()) {
    reject("image " + std::to_string(image) +
           " has no labels; mxinfer_segmentations_item_status has its error");
  }
  return images[image].labels;
}

Span<const Point> points_of(const float* points, std::size_t count, const char* name) {
  static_assert(sizeof(Point) == 2 * sizeof(float) && alignof(Point) == alignof(float));
  if (count > 0) need(points, name);
  return {reinterpret_cast<const Point*>(points), count};
}

}  // namespace mxinfer::c_api
