#include "kernels/upsample/upsample.h"

#include <algorithm>

namespace mxinfer::kernels {
namespace {

// The offset of the upsampled row in dst.
std::int64_t dst_row(const UpsampleArgs& args, std::int64_t row) {
  const std::int64_t y = row % args.height, plane = row / args.height;
  const std::int64_t image = plane / args.channels, channel = plane % args.channels;
  return args.dst_offset + image * args.dst_image +
         (channel * args.height + y) * args.scale * args.width * args.scale;
}

// kScale is the factor, 0: any. A known factor lets the compiler use vectors.
template <typename T, int kScale>
void enlarge_row(const T* src, T* dst, std::int64_t width, std::int64_t scale) {
  const std::int64_t factor = kScale > 0 ? kScale : scale;
  for (std::int64_t x = 0; x < width; ++x) {
    for (std::int64_t i = 0; i < factor; ++i) dst[x * factor + i] = src[x];
  }
}

template <typename T>
void upsample(const UpsampleArgs& args, const std::byte* src_bytes, std::byte* dst_bytes, std::int64_t begin,
              std::int64_t end) {
  const std::int64_t wide = args.width * args.scale;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* src = reinterpret_cast<const T*>(src_bytes) + row * args.width;
    T* dst = reinterpret_cast<T*>(dst_bytes) + dst_row(args, row);
    if (args.scale == 2) {
      enlarge_row<T, 2>(src, dst, args.width, 2);
    } else {
      enlarge_row<T, 0>(src, dst, args.width, args.scale);
    }
    for (std::int64_t i = 1; i < args.scale; ++i) std::copy(dst, dst + wide, dst + i * wide);
  }
}

}  // namespace

UpsampleFn select_upsample(std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return upsample<std::uint8_t>;
    case 2:
      return upsample<std::uint16_t>;
    case 4:
      return upsample<std::uint32_t>;
    default:
      return upsample<std::uint64_t>;
  }
}

template <typename T>
void upsample_add(const UpsampleArgs& args, const std::byte* src_bytes, std::byte* dst_bytes,
                  std::int64_t begin, std::int64_t end) {
  const std::int64_t wide = args.width * args.scale;
  for (std::int64_t row = begin; row < end; ++row) {
    const T* src = reinterpret_cast<const T*>(src_bytes) + row * args.width;
    T* dst = reinterpret_cast<T*>(dst_bytes) + dst_row(args, row);
    for (std::int64_t i = 0; i < args.scale; ++i) {
      for (std::int64_t x = 0; x < wide; ++x) dst[i * wide + x] += src[x / args.scale];
    }
  }
}

template void upsample_add<float>(const UpsampleArgs&, const std::byte*, std::byte*, std::int64_t,
                                  std::int64_t);
template void upsample_add<double>(const UpsampleArgs&, const std::byte*, std::byte*, std::int64_t,
                                   std::int64_t);

}  // namespace mxinfer::kernels
