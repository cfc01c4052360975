// Encodes images as JPEG and PNG files, the reverse of decode_image and read_image. A PNG keeps every pixel;
// a JPEG is smaller and loses detail that people hardly see.
//
//   const mxinfer::Image picture = mxinfer::read_image("street.jpg");
//   mxinfer::write_image(picture, "out/street.png");                     // the ending selects the format
//   mxinfer::write_image(picture, "out/street.jpg", 75);                 // smaller, with more artefacts
//   const std::vector<std::uint8_t> bytes = mxinfer::encode_image(picture, mxinfer::ImageFormat::jpeg);
//
// All functions are thread-safe.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/vision/image.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The format of an image file.
enum class ImageFormat { jpeg, png };

/// Returns the file of an image, grey or RGB as the image is. `quality` applies to JPEGs: 1 (smallest) to 100
/// (best), on libjpeg's scale. From 90 on, colour has the resolution of brightness (4:4:4), below 90 half of
/// it (4:2:0). Throws Error(invalid_argument) if the image is empty or the quality is not in 1 to 100. Throws
/// Error(unsupported) if a side is above 65500, the limit of a JPEG. Throws Error(out_of_memory).
[[nodiscard]] MXINFER_API std::vector<std::uint8_t> encode_image(const Image& image,
                                                                 ImageFormat format = ImageFormat::jpeg,
                                                                 int quality = 90);

/// Writes that file: a JPEG if the path ends in .jpg or .jpeg, a PNG if it ends in .png, in upper or lower
/// case. The file is written under another name in the same folder and then renamed, so other processes see
/// either the old file or the complete new one. Throws as encode_image, Error(invalid_argument) if the path
/// has another ending or the file cannot be written, and Error(not_found) if the folder does not exist.
MXINFER_API void write_image(const Image& image, const std::string& path, int quality = 90);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
