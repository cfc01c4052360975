#include <algorithm>

#include "kernels/boxes/overlap-inl.h"
#include "kernels/nms/kept_boxes-inl.h"
#include "kernels/nms/suppress_boxes.h"

namespace mxinfer::kernels {
namespace {

template <typename A>
struct Above {
  A limit;
  bool operator()(A shared, A a, A b) const { return shared / (a + b - shared) > limit; }
};
template <typename A>
struct AtLeast {
  A limit;
  bool operator()(A shared, A a, A b) const {
    const A all = a + b - shared;
    return (all <= 0 ? A(0) : shared / all) >= limit;
  }
};
template <typename A>
struct SmallerAbove {
  A limit;
  bool operator()(A shared, A a, A b) const { return shared / (a < b ? a : b) > limit; }
};

template <typename A, typename Rule>
std::int64_t keep_by(const SuppressArgs<A>& args, const Rule& rule) {
  constexpr std::int64_t kBlock = 64;  // without an exit inside, so that the compiler vectorises it
  return keep_boxes(args, [&](const KeptBoxes<A>& kept, std::int64_t first, std::int64_t last,
                              const CornerBox<A>& box, std::int32_t id) {
    for (std::int64_t block = first; block < last; block += kBlock) {
      int any = 0;
      for (std::int64_t k = block; k < std::min(last, block + kBlock); ++k) {
        const A shared = shared_length(kept.x1[k], kept.x2[k], box.x1, box.x2, args.more) *
                         shared_length(kept.y1[k], kept.y2[k], box.y1, box.y2, args.more);
        any |= static_cast<int>(rule(shared, kept.area[k], box.area)) & static_cast<int>(kept.id[k] == id);
      }
      if (any != 0) return true;
    }
    return false;
  });
}

}  // namespace

template <typename A>
std::int64_t suppress_boxes_ref(const SuppressArgs<A>& args) {
  switch (args.rule) {
    case OverlapRule::at_least:
      return keep_by(args, AtLeast<A>{args.limit});
    case OverlapRule::smaller_above:
      return keep_by(args, SmallerAbove<A>{args.limit});
    default:
      return keep_by(args, Above<A>{args.limit});
  }
}

template std::int64_t suppress_boxes_ref(const SuppressArgs<float>& args);
template std::int64_t suppress_boxes_ref(const SuppressArgs<double>& args);

SuppressFn<float> select_suppress_boxes(Target target) {
  return target == Target::ref ? suppress_boxes_ref<float> : suppress_boxes_simd(target);
}

}  // namespace mxinfer::kernels
