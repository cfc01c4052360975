// Images as JPEG and PNG files: the way back of decode_image and read_image.
//
//   const mxinfer::Image picture = mxinfer::read_image("street.jpg");
//   mxinfer::write_image(picture, "out/street.png");                     // the format by the name's ending
//   mxinfer::write_image(picture, "out/street.jpg", 75);                 // smaller, with more artefacts
//   const std::vector<std::uint8_t> bytes = mxinfer::encode_image(picture, mxinfer::ImageFormat::jpeg);
//
// A PNG keeps every pixel; a JPEG keeps what people see. All are safe to call on any thread.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/vision/image.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

enum class ImageFormat { jpeg, png };

/// The file of an image, grey or RGB as it is. `quality` is for JPEGs, 1 (smallest) to 100 (best), on the
/// scale of libjpeg; from 90 on colour has the resolution of brightness (4:4:4), below it half of it (4:2:0).
/// Errors: (invalid_argument) an empty image, a quality that is not in 1..100; (unsupported) sides above
/// 65500, which a JPEG cannot have; (out_of_memory).
[[nodiscard]] MXINFER_API std::vector<std::uint8_t> encode_image(const Image& image,
                                                                 ImageFormat format = ImageFormat::jpeg,
                                                                 int quality = 90);

/// Writes that file: a JPEG if the path ends in .jpg or .jpeg, a PNG if it ends in .png, in capitals or not.
/// It is written under another name in the same folder and then renamed, so that others see the old file or
/// the whole new one. Also Error(invalid_argument) for another ending and for a file that cannot be written,
/// Error(not_found) if its folder is not there.
MXINFER_API void write_image(const Image& image, const std::string& path, int quality = 90);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
