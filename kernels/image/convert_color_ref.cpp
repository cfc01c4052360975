#include <type_traits>

#include "kernels/image/convert_color.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
T grey_of(T r, T g, T b) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return static_cast<T>((4899 * r + 9617 * g + 1868 * b + 8192) >> 14);
  } else {
    return T(0.299) * r + T(0.587) * g + T(0.114) * b;
  }
}

template <typename T, ColorConversion kConversion>
void convert_color(const void* src, void* dst, std::int64_t pixels) {
  const T* in = static_cast<const T*>(src);
  T* out = static_cast<T*>(dst);
  for (std::int64_t i = 0; i < pixels; ++i) {
    if constexpr (kConversion == ColorConversion::swap) {
      out[3 * i] = in[3 * i + 2];
      out[3 * i + 1] = in[3 * i + 1];
      out[3 * i + 2] = in[3 * i];
    } else if constexpr (kConversion == ColorConversion::rgb_to_grey) {
      out[i] = grey_of(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    } else if constexpr (kConversion == ColorConversion::bgr_to_grey) {
      out[i] = grey_of(in[3 * i + 2], in[3 * i + 1], in[3 * i]);
    } else {
      out[3 * i] = out[3 * i + 1] = out[3 * i + 2] = in[i];
    }
  }
}

template <ColorConversion kConversion>
ConvertColorFn of_type(ElementType type) {
  if (type == ElementType::uint8) return convert_color<std::uint8_t, kConversion>;
  if (type == ElementType::float32) return convert_color<float, kConversion>;
  if (type == ElementType::float64) return convert_color<double, kConversion>;
  return nullptr;
}

}  // namespace

ConvertColorFn select_convert_color(ElementType type, ColorConversion conversion) {
  switch (conversion) {
    case ColorConversion::swap:
      return of_type<ColorConversion::swap>(type);
    case ColorConversion::rgb_to_grey:
      return of_type<ColorConversion::rgb_to_grey>(type);
    case ColorConversion::bgr_to_grey:
      return of_type<ColorConversion::bgr_to_grey>(type);
    case ColorConversion::from_grey:
      return of_type<ColorConversion::from_grey>(type);
  }
  return nullptr;
}

}  // namespace mxinfer::kernels
