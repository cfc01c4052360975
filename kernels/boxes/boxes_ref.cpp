#include <algorithm>
#include <cmath>

#include "kernels/boxes/boxes.h"
#include "kernels/boxes/overlap-inl.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
using A = Real<T>;

template <typename T>
void iou_rows(const BoxIouArgs& args, std::int64_t begin, std::int64_t end) {
  const T* rhs = static_cast<const T*>(args.rhs);
  for (std::int64_t row = begin; row < end; ++row) {
    const auto a = corner_box<A<T>>(static_cast<const T*>(args.lhs) + row * 4, args.format);
    T* dst = static_cast<T*>(args.dst) + row * args.columns;
    for (std::int64_t column = 0; column < args.columns; ++column) {
      const auto b = corner_box<A<T>>(rhs + column * 4, args.format);
      const A<T> shared = shared_area(a, b);
      dst[column] = static_cast<T>(shared > 0 ? shared / (a.area + b.area - shared) : A<T>(0));
    }
  }
}

/// Center and size.
template <typename R>
struct CenterBox {
  R x, y, width, height;
};

template <typename T>
CenterBox<A<T>> center_of_corners(const T* box) {
  const A<T> x1 = A<T>(box[0]), y1 = A<T>(box[1]), x2 = A<T>(box[2]), y2 = A<T>(box[3]);
  const A<T> width = x2 - x1, height = y2 - y1;
  return {x1 + width * A<T>(0.5), y1 + height * A<T>(0.5), width, height};
}

template <typename T>
CenterBox<A<T>> center_box(const T* box, BoxFormat format) {
  if (format == BoxFormat::corner) return center_of_corners(box);
  return {A<T>(box[0]), A<T>(box[1]), A<T>(box[2]), A<T>(box[3])};
}

template <typename T>
void encode_rows(const BoxEncodeArgs& args, std::int64_t begin, std::int64_t end) {
  const T* samples = static_cast<const T*>(args.samples);
  const T* matches = static_cast<const T*>(args.matches);
  const T* means = static_cast<const T*>(args.means);
  const T* stds = static_cast<const T*>(args.stds);
  for (std::int64_t row = begin; row < end; ++row) {
    T* target = static_cast<T*>(args.targets) + row * 4;
    T* mask = static_cast<T*>(args.masks) + row * 4;
    const std::int64_t match = convert<std::int32_t>(A<T>(matches[row]));
    const bool matched = A<T>(samples[row]) > A<T>(0.5) && match >= 0 && match < args.references;
    std::fill_n(mask, 4, static_cast<T>(matched ? A<T>(1) : A<T>(0)));
    if (!matched) {
      std::fill_n(target, 4, static_cast<T>(A<T>(0)));
      continue;
    }
    const std::int64_t reference = row / args.anchor_count * args.references + match;
    const auto box = center_of_corners(static_cast<const T*>(args.refs) + reference * 4);
    const auto anchor = center_of_corners(static_cast<const T*>(args.anchors) + row * 4);
    const A<T> code[4] = {(box.x - anchor.x) / anchor.width, (box.y - anchor.y) / anchor.height,
                          std::log(box.width / anchor.width), std::log(box.height / anchor.height)};
    for (int i = 0; i < 4; ++i) target[i] = static_cast<T>((code[i] - A<T>(means[i])) / A<T>(stds[i]));
  }
}

template <typename T>
void decode_rows(const BoxDecodeArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const T* code = static_cast<const T*>(args.data) + row * 4;
    T* dst = static_cast<T*>(args.dst) + row * 4;
    const auto anchor =
        center_box(static_cast<const T*>(args.anchors) + row % args.anchor_count * 4, args.format);
    const A<T> x = A<T>(code[0]) * A<T>(args.std[0]) * anchor.width + anchor.x;
    const A<T> y = A<T>(code[1]) * A<T>(args.std[1]) * anchor.height + anchor.y;
    A<T> width = A<T>(code[2]) * A<T>(args.std[2]), height = A<T>(code[3]) * A<T>(args.std[3]);
    if (args.clip > 0) {
      width = std::min(width, A<T>(args.clip));
      height = std::min(height, A<T>(args.clip));
    }
    width = std::exp(width) * anchor.width * A<T>(0.5);
    height = std::exp(height) * anchor.height * A<T>(0.5);
    dst[0] = static_cast<T>(x - width);
    dst[1] = static_cast<T>(y - height);
    dst[2] = static_cast<T>(x + width);
    dst[3] = static_cast<T>(y + height);
  }
}

}  // namespace

BoxIouFn select_box_iou(ElementType type) {
  static constexpr PerType<BoxIouFn> kFunctions{iou_rows<float>, iou_rows<double>, iou_rows<Float16>};
  return pick(kFunctions, type);
}

BoxEncodeFn select_box_encode(ElementType type) {
  static constexpr PerType<BoxEncodeFn> kFunctions{encode_rows<float>, encode_rows<double>,
                                                   encode_rows<Float16>};
  return pick(kFunctions, type);
}

BoxDecodeFn select_box_decode(ElementType type) {
  static constexpr PerType<BoxDecodeFn> kFunctions{decode_rows<float>, decode_rows<double>,
                                                   decode_rows<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
