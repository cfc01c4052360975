#include "vision/images.h"

#include <cstring>
#include <utility>

#include "org_mxinfer_Native.h"

namespace mxinfer::jni {
namespace {

constexpr jsize kSizeNumbers = 4;  // width, height, channels, bits

mxinfer_image image_of(const std::uint8_t* pixels, const jint* size) {
  return {sizeof(mxinfer_image), pixels, size[0], size[1], size[2], 0, size[3]};
}

std::size_t length_of(JNIEnv* env, jarray array) {
  return static_cast<std::size_t>(env->GetArrayLength(array));
}

}  // namespace

// A path ends in 0, for which there is a byte more.
OneImage::OneImage(JNIEnv* env, jbyteArray bytes, jintArray size) : count_(length_of(env, bytes)) {
  std::byte* const copy = scratch(count_ + 1);
  copy_array(env, bytes, copy, count_);
  copy[count_] = std::byte{0};
  bytes_ = reinterpret_cast<const std::uint8_t*>(copy);
  if (size == nullptr) return;
  jint sides[kSizeNumbers];
  env->GetIntArrayRegion(size, 0, kSizeNumbers, sides);
  check_java(env);
  image_ = image_of(bytes_, sides);
}

ImageList::ImageList(JNIEnv* env, jint source, jobjectArray images, jintArray sizes)
    : count_(length_of(env, images)) {
  std::vector<jint> sides(count_ * kSizeNumbers);
  env->GetIntArrayRegion(sizes, 0, static_cast<jsize>(sides.size()), sides.data());
  check_java(env);
  std::size_t all = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, static_cast<jsize>(i)));
    all += length_of(env, bytes.get()) + 1;
  }
  std::byte* to = scratch(all);
  for (std::size_t i = 0; i < count_; ++i) {
    const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, static_cast<jsize>(i)));
    const std::size_t count = length_of(env, bytes.get());
    copy_array(env, bytes.get(), to, count);
    to[count] = std::byte{0};
    add(source, to, count, sides.data() + i * kSizeNumbers);
    to += count + 1;
  }
}

void ImageList::add(jint source, const std::byte* bytes, std::size_t count, const jint* size) {
  if (source == org_mxinfer_Native_FILE) {
    paths_.push_back(reinterpret_cast<const char*>(bytes));
  } else if (source == org_mxinfer_Native_ENCODED) {
    encoded_.push_back({sizeof(mxinfer_bytes), bytes, count});
  } else {
    pixels_.push_back(image_of(reinterpret_cast<const std::uint8_t*>(bytes), size));
  }
}

static_assert(kFileSource == org_mxinfer_Native_FILE && kEncodedSource == org_mxinfer_Native_ENCODED);

Image to_image(const mxinfer_image& pixels) {
  const DType dtype = pixels.bits == 16 ? DType::uint16 : DType::uint8;
  Tensor copy = Tensor::uninitialized(dtype, {pixels.height, pixels.width, pixels.channels});
  std::memcpy(copy.raw(), pixels.pixels, copy.bytes());
  return Image(std::move(copy));
}

Image to_image(jint source, const OneImage& image) {
  return visit_image(
      source, image, [](const std::string& path) { return read_image(path); },
      [](ByteSpan encoded) { return decode_image(encoded); }, [](Image pixels) { return pixels; });
}

jbyteArray from_pixels(JNIEnv* env, const Image& image) {
  const Span<const std::uint8_t> pixels = image.pixels();
  const auto count = static_cast<jsize>(pixels.size());
  jbyteArray array = env->NewByteArray(count);
  check_java(env);
  env->SetByteArrayRegion(array, 0, count, reinterpret_cast<const jbyte*>(pixels.data()));
  return array;
}

std::vector<Image> to_images(const ImageList& list) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < list.size(); ++i) images.push_back(to_image(list.pixels()[i]));
  return images;
}

std::vector<std::string> to_paths(const ImageList& list) {
  return {list.paths(), list.paths() + list.size()};
}

std::vector<ByteSpan> to_spans(const ImageList& list) {
  std::vector<ByteSpan> spans;
  for (std::size_t i = 0; i < list.size(); ++i)
    spans.push_back({list.encoded()[i].data, list.encoded()[i].bytes});
  return spans;
}

}  // namespace mxinfer::jni
