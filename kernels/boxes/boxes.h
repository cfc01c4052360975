// Boxes: how much they overlap, and their coding relative to anchors.
//
// A box is four numbers: corners (xmin, ymin, xmax, ymax), or center (x, y, width, height).
//   overlap of a and b = area of the intersection / area of the union, 0 if they do not meet
//   encode: ((x - ax) / aw, (y - ay) / ah, log(w / aw), log(h / ah)) for a box x y w h and its anchor a,
//           then (t - mean) / std for each of the four
//   decode: the inverse with means of 0, given as corners
//
// Arithmetic is done in float for float32 and float16, in double for float64.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

enum class BoxFormat : std::uint8_t { corner, center };

/// A box by its corners, with its area.
template <typename A>
struct CornerBox {
  A x1, y1, x2, y2;
  A area;  ///< 0 if a side is negative
};

struct BoxIouArgs {
  const void* lhs = nullptr;  ///< [rows][4]
  const void* rhs = nullptr;  ///< [columns][4]
  void* dst = nullptr;        ///< [rows][columns]
  std::int64_t columns = 0;
  BoxFormat format = BoxFormat::corner;
};
/// Computes rows [begin, end).
using BoxIouFn = void (*)(const BoxIouArgs& args, std::int64_t begin, std::int64_t end);

/// Row r = batch * anchors + anchor is matched to refs[batch][matches[r]] if samples[r] > 0.5; the others are
/// all 0. A match outside [0, references) counts as none.
struct BoxEncodeArgs {
  const void* samples = nullptr;  ///< [batch * anchors]
  const void* matches = nullptr;  ///< [batch * anchors]
  const void* anchors = nullptr;  ///< [batch * anchors][4] corners
  const void* refs = nullptr;     ///< [batch][references][4] corners
  const void* means = nullptr;    ///< [4]
  const void* stds = nullptr;     ///< [4]
  void* targets = nullptr;        ///< [batch * anchors][4]
  void* masks = nullptr;          ///< [batch * anchors][4]: 1 if there is a match, else 0
  std::int64_t anchor_count = 1;
  std::int64_t references = 0;
};
using BoxEncodeFn = void (*)(const BoxEncodeArgs& args, std::int64_t begin, std::int64_t end);

struct BoxDecodeArgs {
  const void* data = nullptr;     ///< [batch * anchors][4]
  const void* anchors = nullptr;  ///< [anchors][4], shared by the batch
  void* dst = nullptr;            ///< [batch * anchors][4] corners
  std::int64_t anchor_count = 1;
  BoxFormat format = BoxFormat::center;  ///< of the anchors
  float std[4] = {1, 1, 1, 1};
  float clip = -1;  ///< the largest exponent, if above 0
};
using BoxDecodeFn = void (*)(const BoxDecodeArgs& args, std::int64_t begin, std::int64_t end);

// Null for types other than float32, float64 and float16.
BoxIouFn select_box_iou(ElementType type);
BoxEncodeFn select_box_encode(ElementType type);
BoxDecodeFn select_box_decode(ElementType type);

/// Vector code for float32: an exponential within 1 ulp. Precondition for the target: not ref.
BoxDecodeFn select_box_decode_f32(Target target);

}  // namespace mxinfer::kernels
