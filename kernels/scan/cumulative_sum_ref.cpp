#include <algorithm>

#include "kernels/elementwise/wrapping.h"
#include "kernels/scan/cumulative_sum.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
T sum_of(T a, T b) {
  return convert<T>(wrapping_add(convert<Arithmetic<T>>(a), convert<Arithmetic<T>>(b)));
}

// Sums adjacent lines row by row, so that memory is read in order.
template <typename T>
void sum_lines(const CumulativeSumArgs& args, std::int64_t begin, std::int64_t end) {
  while (begin < end) {
    const std::int64_t column = begin % args.inner;
    const std::int64_t n = std::min(args.inner - column, end - begin);
    const std::int64_t first = begin / args.inner * args.length * args.inner + column;
    const T* in = static_cast<const T*>(args.src) + first;
    T* out = static_cast<T*>(args.dst) + first;
    for (std::int64_t i = 0; i < n && args.length > 0; ++i) out[i] = in[i];
    for (std::int64_t a = 1; a < args.length; ++a) {
      in += args.inner;
      T* next = out + args.inner;
      for (std::int64_t i = 0; i < n; ++i) next[i] = sum_of(out[i], in[i]);
      out = next;
    }
    begin += n;
  }
}

}  // namespace

CumulativeSumFn select_cumulative_sum(ElementType type) {
  static constexpr PerType<CumulativeSumFn> kFunctions = {
      sum_lines<float>,        sum_lines<double>,      sum_lines<Float16>,      sum_lines<std::uint8_t>,
      sum_lines<std::int32_t>, sum_lines<std::int8_t>, sum_lines<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
