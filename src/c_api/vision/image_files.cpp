// Images as files, and the images and bytes that the library owns.
#include <mxinfer/vision/encode.h>
#include <mxinfer_c/image.h>

#include <string>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/structs.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

DecodeOptions decode_options_of(const mxinfer_decode_options* options) {
  DecodeOptions result;
  if (options == nullptr) return result;
  const mxinfer_decode_options given = read_struct(*options);
  result.color = given.grey == 0;
  result.order = given.bgr != 0 ? ColorOrder::bgr : ColorOrder::rgb;
  result.apply_exif = given.ignore_exif == 0;
  if (given.scale_denominator != 0) result.scale_denominator = given.scale_denominator;
  if (given.max_pixels != 0) result.max_pixels = given.max_pixels;
  return result;
}

/// 0 stands for the default.
int quality_of(std::int32_t quality) {
  constexpr int kDefault = 90;
  return quality == 0 ? kDefault : quality;
}

}  // namespace

mxinfer_status mxinfer_owned_image_get(const mxinfer_owned_image* image, mxinfer_image* out) {
  return call([&] { write_struct(need(out, "out"), struct_of(need(image, "image").image)); });
}

void mxinfer_owned_image_free(mxinfer_owned_image* image) {
  delete image;
}

mxinfer_status mxinfer_owned_bytes_get(const mxinfer_owned_bytes* bytes, mxinfer_bytes* out) {
  return call([&] {
    const auto& of = need(bytes, "bytes").bytes;
    write_struct(need(out, "out"), {0, of.data(), of.size()});
  });
}

void mxinfer_owned_bytes_free(mxinfer_owned_bytes* bytes) {
  delete bytes;
}

mxinfer_status mxinfer_read_image(const char* path, const mxinfer_decode_options* options,
                                  mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{read_image(need_text(path, "path"), decode_options_of(options))};
  });
}

mxinfer_status mxinfer_decode_image(const void* encoded, size_t bytes, const mxinfer_decode_options* options,
                                    mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{decode_image(encoded_of(encoded, bytes), decode_options_of(options))};
  });
}

mxinfer_status mxinfer_encode_image(const mxinfer_image* image, const char* format, int32_t quality,
                                    mxinfer_owned_bytes** out) {
  return give(out, [&] {
    const auto as = static_cast<ImageFormat>(choice_or_first("format", format, {"jpeg", "png"}));
    return new mxinfer_owned_bytes{encode_image(image_of(image), as, quality_of(quality))};
  });
}

mxinfer_status mxinfer_write_image(const mxinfer_image* image, const char* path, int32_t quality) {
  return call([&] { write_image(image_of(image), need_text(path, "path"), quality_of(quality)); });
}
