#include "kernels/sort/unique.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::kernels {
namespace {

template <typename T>
bool is_below(T a, T b) {
  const auto x = static_cast<Arithmetic<T>>(a), y = static_cast<Arithmetic<T>>(b);
  return x < y || (x == x && y != y);
}

template <typename T>
class Items {
 public:
  explicit Items(const UniqueArgs& args) : args_(args), src_(static_cast<const T*>(args.src)) {}

  // By the items, then by the place, so that std::sort keeps the order of equal ones without memory of its
  // own.
  bool before(std::int64_t a, std::int64_t b) const {
    for (std::int64_t o = 0; o < args_.outer; ++o) {
      const T *x = row(o, a), *y = row(o, b);
      for (std::int64_t k = 0; k < args_.inner; ++k) {
        if (is_below(x[k], y[k])) return true;
        if (is_below(y[k], x[k])) return false;
      }
    }
    return a < b;
  }

  bool same(std::int64_t a, std::int64_t b) const {
    for (std::int64_t o = 0; o < args_.outer; ++o) {
      if (std::memcmp(row(o, a), row(o, b), static_cast<std::size_t>(args_.inner) * sizeof(T)) != 0)
        return false;
    }
    return true;
  }

  const T* row(std::int64_t o, std::int64_t i) const { return src_ + (o * args_.length + i) * args_.inner; }

 private:
  const UniqueArgs& args_;
  const T* src_;
};

template <typename T>
std::int64_t unique_items(const UniqueArgs& args) {
  const Items<T> items(args);
  for (std::int64_t i = 0; i < args.length; ++i) args.order[i] = i;
  std::sort(args.order, args.order + args.length,
            [&](std::int64_t a, std::int64_t b) { return items.before(a, b); });
  std::int64_t unique = 0, start = 0;
  for (std::int64_t i = 0; i < args.length; ++i) {
    if (i > 0 && !items.same(args.order[i - 1], args.order[i])) {
      ++unique;
      start = i;
    }
    if (args.first != nullptr && i == start) args.first[unique] = args.order[i];
    if (args.inverse != nullptr) args.inverse[args.order[i]] = unique;
    if (args.counts != nullptr) args.counts[unique] = i - start + 1;
  }
  if (args.length > 0) ++unique;
  // Without the other outputs, the first of equal items is found again.
  T* to = static_cast<T*>(args.values);
  for (std::int64_t o = 0; o < args.outer; ++o) {
    for (std::int64_t i = 0; i < args.length; ++i) {
      if (i > 0 && items.same(args.order[i - 1], args.order[i])) continue;
      to = std::copy_n(items.row(o, args.order[i]), args.inner, to);
    }
  }
  return unique;
}

}  // namespace

UniqueFn select_unique(ElementType type) {
  static constexpr PerType<UniqueFn> kFunctions = {unique_items<float>,        unique_items<double>,
                                                   unique_items<Float16>,      unique_items<std::uint8_t>,
                                                   unique_items<std::int32_t>, unique_items<std::int8_t>,
                                                   unique_items<std::int64_t>, unique_items<bool>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
