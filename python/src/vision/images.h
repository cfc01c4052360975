// Images as Python gives them: a path, the bytes of a file, or pixels. mxinfer/_images.py says which is
// which.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/vision/image.h>
#include <nanobind/nanobind.h>

#include <string>
#include <variant>
#include <vector>

#include "core/arrays.h"

namespace mxinfer::python {

/// `kind` is "file" (a bytes object with the path), "encoded" (what holds a file's bytes) or "pixels" (a
/// Pixels, made of an array as Image(Tensor) takes it). Held until it is destroyed.
class ImageArgument {
 public:
  ImageArgument(const std::string& kind, const nanobind::object& image);

  template <typename OfFile, typename OfBytes, typename OfPixels>
  auto visit(OfFile&& of_file, OfBytes&& of_bytes, OfPixels&& of_pixels) const {
    if (const auto* path = std::get_if<std::string>(&image_)) return of_file(*path);
    if (const auto* encoded = std::get_if<HeldArray>(&image_)) return of_bytes(bytes(*encoded));
    return of_pixels(std::get<Image>(image_));
  }

 private:
  friend class ImageArguments;
  static ByteSpan bytes(const HeldArray& array);
  std::variant<std::string, HeldArray, Image> image_;
};

/// A list of one kind.
class ImageArguments {
 public:
  ImageArguments(const std::string& kind, const nanobind::list& images);

  template <typename OfFiles, typename OfBytes, typename OfPixels>
  auto visit(OfFiles&& of_files, OfBytes&& of_bytes, OfPixels&& of_pixels) const {
    if (kind_ == "file") return of_files(paths_);
    if (kind_ == "encoded") return of_bytes(encoded_);
    return of_pixels(pixels_);
  }
  [[nodiscard]] const std::vector<Image>& pixels() const noexcept { return pixels_; }

 private:
  std::string kind_;
  std::vector<ImageArgument> held_;
  std::vector<std::string> paths_;
  std::vector<ByteSpan> encoded_;
  std::vector<Image> pixels_;
};

}  // namespace mxinfer::python
