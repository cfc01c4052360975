#include "kernels/image/tensor.h"

namespace mxinfer::kernels {
namespace {

constexpr float kWhite = 255.0f;

template <typename T>
float share_of_white(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return static_cast<float>(Float16(static_cast<float>(value) / kWhite));
  } else {
    return static_cast<float>(static_cast<Real<T>>(value) / kWhite);
  }
}

// The channel count as a constant lets the compiler take several pixels at once.
template <typename T, int kChannels>
void split(const T* src, float* dst, std::int64_t pixels, std::int64_t begin, std::int64_t end) {
  for (std::int64_t c = 0; c < kChannels; ++c) {
    float* plane = dst + c * pixels;
    for (std::int64_t i = begin; i < end; ++i) plane[i] = share_of_white(src[i * kChannels + c]);
  }
}

template <typename T>
void to_tensor(const void* src, float* dst, std::int64_t channels, std::int64_t pixels, std::int64_t begin,
               std::int64_t end) {
  const T* in = static_cast<const T*>(src);
  if (channels == 1) return split<T, 1>(in, dst, pixels, begin, end);
  if (channels == 3) return split<T, 3>(in, dst, pixels, begin, end);
  for (std::int64_t c = 0; c < channels; ++c) {
    float* plane = dst + c * pixels;
    for (std::int64_t i = begin; i < end; ++i) plane[i] = share_of_white(in[i * channels + c]);
  }
}

template <typename T>
T normalized(T value, float mean, float deviation) {
  if constexpr (std::is_same_v<T, Float16>) {
    const Float16 distance(static_cast<float>(value) - mean);
    return Float16(static_cast<float>(distance) / deviation);
  } else {
    return convert<T>((static_cast<Real<T>>(value) - mean) / deviation);
  }
}

template <typename T>
void normalize(const void* src, void* dst, std::int64_t n, float mean, float deviation) {
  const T* in = static_cast<const T*>(src);
  T* out = static_cast<T*>(dst);
  for (std::int64_t i = 0; i < n; ++i) out[i] = normalized(in[i], mean, deviation);
}

}  // namespace

ImageToTensorFn select_image_to_tensor(ElementType type) {
  static constexpr PerType<ImageToTensorFn> kFunctions = {
      to_tensor<float>,        to_tensor<double>,      to_tensor<Float16>,      to_tensor<std::uint8_t>,
      to_tensor<std::int32_t>, to_tensor<std::int8_t>, to_tensor<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

ImageNormalizeFn select_image_normalize(ElementType type) {
  static constexpr PerType<ImageNormalizeFn> kFunctions = {
      normalize<float>,        normalize<double>,      normalize<Float16>,      normalize<std::uint8_t>,
      normalize<std::int32_t>, normalize<std::int8_t>, normalize<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
