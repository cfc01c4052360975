// Images of Java: paths, the bytes of files, or pixels, each in an array of bytes.
#pragma once

#include <jni.h>
#include <mxinfer_c.h>

#include <string>
#include <vector>

#include "support.h"

namespace mxinfer::jni {

/// One image, copied to the thread's scratch.
class OneImage {
 public:
  /// `size` is width, height, channels and bits of pixels.
  OneImage(JNIEnv* env, jbyteArray bytes, jintArray size);
  [[nodiscard]] const char* path() const { return reinterpret_cast<const char*>(bytes_); }
  [[nodiscard]] const void* data() const { return bytes_; }
  [[nodiscard]] std::size_t bytes() const { return count_; }
  [[nodiscard]] const mxinfer_image* image() const { return &image_; }

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

}  // namespace mxinfer::jni
