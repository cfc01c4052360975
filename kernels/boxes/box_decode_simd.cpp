#include <algorithm>
#include <cstring>

#include "kernels/boxes/boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/boxes/box_decode_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include "kernels/common/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

/// As many boxes as a vector has lanes: the first of their four numbers, the second, ...
struct Boxes {
  Vector a, b, c, d;
};

inline Boxes load(const float* from) {
  const Tag tag;
  Boxes boxes;
  hn::LoadInterleaved4(tag, from, boxes.a, boxes.b, boxes.c, boxes.d);
  return boxes;
}

/// Anchors as center and size.
inline Boxes centered(const Boxes& anchor, BoxFormat format) {
  if (format == BoxFormat::center) return anchor;
  const auto half = hn::Set(Tag(), 0.5f);
  const auto width = hn::Sub(anchor.c, anchor.a), height = hn::Sub(anchor.d, anchor.b);
  return {hn::MulAdd(width, half, anchor.a), hn::MulAdd(height, half, anchor.b), width, height};
}

/// Half a side: exp(code * std) * side / 2. A code that is NaN stays NaN.
inline Vector half_side(Vector code, float std, float clip, Vector side) {
  const Tag tag;
  auto exponent = hn::Mul(code, hn::Set(tag, std));
  if (clip > 0) {
    const auto most = hn::Set(tag, clip);
    exponent = hn::IfThenElse(hn::Lt(most, exponent), most, exponent);
  }
  return hn::Mul(hn::Mul(Exp(tag, exponent), side), hn::Set(tag, 0.5f));
}

inline void decode_boxes(const BoxDecodeArgs& args, const float* code_at, const float* anchor_at,
                         float* dst) {
  const Tag tag;
  const Boxes code = load(code_at), anchor = centered(load(anchor_at), args.format);
  const auto x = hn::MulAdd(hn::Mul(code.a, hn::Set(tag, args.std[0])), anchor.c, anchor.a);
  const auto y = hn::MulAdd(hn::Mul(code.b, hn::Set(tag, args.std[1])), anchor.d, anchor.b);
  const auto width = half_side(code.c, args.std[2], args.clip, anchor.c);
  const auto height = half_side(code.d, args.std[3], args.clip, anchor.d);
  hn::StoreInterleaved4(hn::Sub(x, width), hn::Sub(y, height), hn::Add(x, width), hn::Add(y, height), tag,
                        dst);
}

/// Fewer boxes than a vector has lanes, by way of memory that holds as many.
inline void decode_rest(const BoxDecodeArgs& args, const float* code, const float* anchor, float* dst,
                        std::int64_t count) {
  constexpr std::size_t kMost = 4 * hn::MaxLanes(Tag());
  float codes[kMost] = {}, anchors[kMost] = {}, boxes[kMost];
  const std::size_t bytes = static_cast<std::size_t>(count) * 4 * sizeof(float);
  std::memcpy(codes, code, bytes);
  std::memcpy(anchors, anchor, bytes);
  decode_boxes(args, codes, anchors, boxes);
  std::memcpy(dst, boxes, bytes);
}

void BoxDecode(const BoxDecodeArgs& args, std::int64_t begin, std::int64_t end) {
  const auto* data = static_cast<const float*>(args.data);
  const auto* anchors = static_cast<const float*>(args.anchors);
  auto* dst = static_cast<float*>(args.dst);
  const auto n = static_cast<std::int64_t>(hn::Lanes(Tag()));
  for (std::int64_t row = begin; row < end;) {
    const std::int64_t anchor = row % args.anchor_count;
    const std::int64_t count = std::min({n, end - row, args.anchor_count - anchor});
    if (count == n) {
      decode_boxes(args, data + row * 4, anchors + anchor * 4, dst + row * 4);
    } else {
      decode_rest(args, data + row * 4, anchors + anchor * 4, dst + row * 4, count);
    }
    row += count;
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {
namespace {
MXINFER_TABLE(BoxDecode);
}  // namespace

BoxDecodeFn select_box_decode_f32(Target target) {
  return MXINFER_DISPATCH(BoxDecode, target);
}

}  // namespace mxinfer::kernels
#endif
