#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/nms/suppress_boxes_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/nms/kept_boxes-inl.h"
#include "kernels/nms/suppress_boxes.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using MF = hn::Mask<DF>;

/// As shared_length(), of kept boxes [a1, a2] and one box [b1, b2]; NaN is compared as there.
HWY_INLINE VF SharedLength(VF a1, VF a2, VF b1, VF b2, VF more) {
  const VF last = hn::IfThenElse(hn::Lt(a2, b2), a2, b2);
  const VF first = hn::IfThenElse(hn::Gt(a1, b1), a1, b1);
  const VF length = hn::Add(hn::Sub(last, first), more);
  return hn::IfThenElseZero(hn::Gt(length, hn::Zero(DF())), length);
}

/// Of `kRule`.
template <OverlapRule kRule>
HWY_INLINE MF Overlaps(VF shared, VF kept_area, VF area, VF limit) {
  if constexpr (kRule == OverlapRule::smaller_above) {
    const VF smaller = hn::IfThenElse(hn::Lt(kept_area, area), kept_area, area);
    return hn::Gt(hn::Div(shared, smaller), limit);
  } else {
    const VF all = hn::Sub(hn::Add(kept_area, area), shared);
    const VF part = hn::Div(shared, all);
    if constexpr (kRule == OverlapRule::above) return hn::Gt(part, limit);
    return hn::Ge(hn::IfThenZeroElse(hn::Le(all, hn::Zero(DF())), part), limit);
  }
}

/// One box against kept ones, two vectors of them at a time.
template <OverlapRule kRule, bool kIds>
class Comparison {
 public:
  explicit Comparison(const SuppressArgs<float>& args)
      : more_(args.more),
        limit_(args.limit),
        // Then boxes that share nothing never suppress each other, and the height is often not looked at.
        needs_shared_(kRule == OverlapRule::at_least ? args.limit > 0 : args.limit >= 0) {}

  bool operator()(const KeptBoxes<float>& kept, std::int64_t first, std::int64_t last,
                  const CornerBox<float>& box, std::int32_t id) const {
    const DF d;
    constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(DF()));
    static_assert(kKeptBlock % (2 * kLanes) == 0, "vectors end with the room of the kept boxes");
    const VF x1 = hn::Set(d, box.x1), x2 = hn::Set(d, box.x2), more = hn::Set(d, more_);
    for (std::int64_t k = first; k < last; k += 2 * kLanes) {
      const auto width = [&](std::int64_t at) HWY_ATTR {
        return SharedLength(hn::LoadU(d, kept.x1 + at), hn::LoadU(d, kept.x2 + at), x1, x2, more);
      };
      const VF one = width(k), two = width(k + kLanes);
      const MF some = hn::Or(hn::And(hn::Gt(one, hn::Zero(d)), IsSame(kept, k, id)),
                             hn::And(hn::Gt(two, hn::Zero(d)), IsSame(kept, k + kLanes, id)));
      if (needs_shared_ && hn::AllFalse(d, some)) continue;
      if (AnySuppresses(kept, k, last, one, box, id)) return true;
      if (AnySuppresses(kept, k + kLanes, last, two, box, id)) return true;
    }
    return false;
  }

 private:
  static HWY_INLINE MF IsSame(const KeptBoxes<float>& kept, std::int64_t k, std::int32_t id) {
    if constexpr (!kIds) return hn::MaskFromVec(hn::BitCast(DF(), hn::Set(DI(), -1)));
    return hn::RebindMask(DF(), hn::Eq(hn::LoadU(DI(), kept.id + k), hn::Set(DI(), id)));
  }

  HWY_INLINE bool AnySuppresses(const KeptBoxes<float>& kept, std::int64_t k, std::int64_t last, VF width,
                                const CornerBox<float>& box, std::int32_t id) const {
    const DF d;
    const VF height = SharedLength(hn::LoadU(d, kept.y1 + k), hn::LoadU(d, kept.y2 + k), hn::Set(d, box.y1),
                                   hn::Set(d, box.y2), hn::Set(d, more_));
    const VF shared = hn::Mul(width, height);
    if (needs_shared_ && hn::AllFalse(d, hn::Gt(shared, hn::Zero(d)))) return false;
    const MF hit =
        Overlaps<kRule>(shared, hn::LoadU(d, kept.area + k), hn::Set(d, box.area), hn::Set(d, limit_));
    const MF there = hn::FirstN(d, static_cast<std::size_t>(std::max<std::int64_t>(0, last - k)));
    return !hn::AllFalse(d, hn::And(hn::And(hit, IsSame(kept, k, id)), there));
  }

  float more_, limit_;
  bool needs_shared_;
};

template <OverlapRule kRule>
std::int64_t SuppressBy(const SuppressArgs<float>& args) {
  if (args.ids == nullptr) return keep_boxes(args, Comparison<kRule, false>(args));
  return keep_boxes(args, Comparison<kRule, true>(args));
}

}  // namespace

std::int64_t SuppressBoxes(const SuppressArgs<float>& args) {
  // A lane at a time the compiler makes more of the reference.
  if constexpr (hn::MaxLanes(DF()) == 1) {
    return suppress_boxes_ref(args);
  } else {
    switch (args.rule) {
      case OverlapRule::at_least:
        return SuppressBy<OverlapRule::at_least>(args);
      case OverlapRule::smaller_above:
        return SuppressBy<OverlapRule::smaller_above>(args);
      default:
        return SuppressBy<OverlapRule::above>(args);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(SuppressBoxes);

SuppressFn<float> suppress_boxes_simd(Target target) {
  return MXINFER_DISPATCH(SuppressBoxes, target);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
