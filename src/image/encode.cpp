#include <mxinfer/vision/encode.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "image/encoders.h"

namespace mxinfer {
namespace {

ImageFormat format_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".jpg" || ending == ".jpeg") return ImageFormat::jpeg;
  if (ending == ".png") return ImageFormat::png;
  fail(ErrorCode::invalid_argument, "'", printable(path), "' ends in ",
       ending.empty() ? "nothing" : "'" + printable(ending) + "'",
       ", which is not a supported format; end it in .jpg, .jpeg or .png");
}

void check_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
  fail(ErrorCode::not_found, "'", printable(path), "' cannot be written: there is no folder '",
       printable(folder.string()), "'; create it first");
}

}  // namespace

std::vector<std::uint8_t> MXINFER_ABI::encode_image(const Image& image, ImageFormat format, int quality) try {
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty: it has no pixels to encode");
  if (quality < 1 || quality > 100) {
    fail(ErrorCode::invalid_argument, "quality is ", quality,
         "; it must be from 1 (smallest file) to 100 (best picture)");
  }
  if (format == ImageFormat::jpeg)
    return in_context([] { return "JPEG"; }, [&] { return image::encode_jpeg(image, quality); });
  return in_context([] { return "PNG"; }, [&] { return image::encode_png(image); });
} catch (...) {
  throw_as_error();
}

void MXINFER_ABI::write_image(const Image& image, const std::string& path, int quality) try {
  const ImageFormat format = format_of(path);
  check_folder_of(path);
  const std::vector<std::uint8_t> bytes =
      in_context([&] { return printable(path); }, [&] { return encode_image(image, format, quality); });
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
