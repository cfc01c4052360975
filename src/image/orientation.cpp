#include <libexif/exif-data.h>

#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "image/codecs.h"

namespace mxinfer::image {
namespace {

struct ReleaseExif {
  void operator()(ExifData* data) const noexcept { exif_data_unref(data); }
};

/// Where pixel (x, y) of the upright image is stored: at start + x * step_x + y * step_y, in pixels.
struct Walk {
  std::int64_t start;
  std::int64_t step_x;
  std::int64_t step_y;
};

Walk stored_order(int orientation, std::int64_t width, std::int64_t height) {
  const std::int64_t right = width - 1;
  const std::int64_t bottom = (height - 1) * width;
  switch (orientation) {
    case 2:
      return {right, -1, width};
    case 3:
      return {bottom + right, -1, -width};
    case 4:
      return {bottom, 1, -width};
    case 5:
      return {0, width, 1};
    case 6:
      return {bottom, -width, 1};
    case 7:
      return {bottom + right, -width, -1};
    case 8:
      return {right, width, -1};
    default:
      return {0, 1, width};
  }
}

}  // namespace

int exif_orientation(Span<const std::uint8_t> segment) {
  if (segment.size() > std::numeric_limits<unsigned>::max()) return 1;
  const std::unique_ptr<ExifData, ReleaseExif> data(exif_data_new());
  if (!data) return 1;
  // Only the raw tag is needed: no repairs, no maker's notes.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_load_data(data.get(), segment.data(), static_cast<unsigned>(segment.size()));
  const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  if (entry == nullptr || entry->format != EXIF_FORMAT_SHORT || entry->components < 1 || entry->size < 2)
    return 1;
  const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

Tensor turn_upright(Tensor pixels, int orientation) {
  if (orientation <= 1 || orientation > 8) return pixels;
  const std::int64_t height = pixels.shape()[0];
  const std::int64_t width = pixels.shape()[1];
  const std::int64_t channels = pixels.shape()[2];
  const bool swap = orientation >= 5;
  const std::int64_t out_height = swap ? width : height;
  const std::int64_t out_width = swap ? height : width;
  Tensor upright = Tensor::uninitialized(DType::uint8, {out_height, out_width, channels});
  const Walk walk = stored_order(orientation, width, height);
  const std::uint8_t* src = pixels.data<std::uint8_t>();
  std::uint8_t* dst = upright.data<std::uint8_t>();
  for (std::int64_t y = 0; y < out_height; ++y) {
    for (std::int64_t x = 0; x < out_width; ++x) {
      const std::uint8_t* pixel = src + (walk.start + x * walk.step_x + y * walk.step_y) * channels;
      for (std::int64_t c = 0; c < channels; ++c) *dst++ = pixel[c];
    }
  }
  return upright;
}

}  // namespace mxinfer::image
