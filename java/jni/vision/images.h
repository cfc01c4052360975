// Images of Java: paths, the bytes of files, or pixels, each in an array of bytes.
#pragma once

#include <jni.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/vision/image.h>
#include <mxinfer_c.h>

#include <string>
#include <vector>

#include "support.h"

namespace mxinfer::jni {

/// Native.FILE and Native.ENCODED.
inline constexpr jint kFileSource = 0, kEncodedSource = 1;

/// One image, copied to the thread's scratch.
class OneImage {
 public:
  /// `size` is width, height, channels and bits of pixels.
  OneImage(JNIEnv* env, jbyteArray bytes, jintArray size);
  [[nodiscard]] const char* path() const { return reinterpret_cast<const char*>(bytes_); }
  [[nodiscard]] const void* data() const { return bytes_; }
  [[nodiscard]] std::size_t bytes() const { return count_; }
  [[nodiscard]] const mxinfer_image* image() const { return &image_; }
  [[nodiscard]] ByteSpan encoded() const { return {bytes_, count_}; }

 private:
  const std::uint8_t* bytes_ = nullptr;
  std::size_t count_ = 0;
  mxinfer_image image_{};
  ScratchUse scratch_use_;
};

/// A list of images of one source, copied to the thread's scratch.
class ImageList {
 public:
  ImageList(JNIEnv* env, jint source, jobjectArray images, jintArray sizes);
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const char* const* paths() const { return paths_.data(); }
  [[nodiscard]] const mxinfer_bytes* encoded() const { return encoded_.data(); }
  [[nodiscard]] const mxinfer_image* pixels() const { return pixels_.data(); }

 private:
  void add(jint source, const std::byte* bytes, std::size_t count, const jint* size);

  std::size_t count_;
  std::vector<const char*> paths_;
  std::vector<mxinfer_bytes> encoded_;
  std::vector<mxinfer_image> pixels_;
  ScratchUse scratch_use_;
};

/// Pixels as an image, which has a copy of them.
Image to_image(const mxinfer_image& pixels);
/// Any image; a file is read, and bytes are decoded.
Image to_image(jint source, const OneImage& image);
/// The pixels, row by row.
jbyteArray from_pixels(JNIEnv* env, const Image& image);
std::vector<Image> to_images(const ImageList& list);
std::vector<std::string> to_paths(const ImageList& list);
std::vector<ByteSpan> to_spans(const ImageList& list);

/// The result of one of three functions, by what the image is: by_path(path), by_bytes(span) or
/// by_pixels(image).
template <typename ByPath, typename ByBytes, typename ByPixels>
auto visit_image(jint source, const OneImage& image, ByPath by_path, ByBytes by_bytes, ByPixels by_pixels) {
  if (source == kFileSource) return by_path(std::string(image.path()));
  if (source == kEncodedSource) return by_bytes(image.encoded());
  return by_pixels(to_image(*image.image()));
}

template <typename ByPath, typename ByBytes, typename ByPixels>
auto visit_images(jint source, const ImageList& list, ByPath by_path, ByBytes by_bytes, ByPixels by_pixels) {
  if (source == kFileSource) return by_path(to_paths(list));
  if (source == kEncodedSource) return by_bytes(to_spans(list));
  return by_pixels(to_images(list));
}

}  // namespace mxinfer::jni
