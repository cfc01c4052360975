#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/softmax/softmax.h"

namespace mxinfer::kernels {
namespace {

template <typename From, typename To>
void line(const SoftmaxArgs& args, const From* src, To* dst, std::int64_t length) {
  using T = Real<From>;
  const std::int64_t step = args.inner;
  const auto value = [&](std::int64_t i) { return static_cast<T>(args.sign) * convert<T>(src[i * step]); };
  T largest = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < length; ++i) largest = std::max(largest, value(i));
  const T scale = static_cast<T>(1 / args.temperature);
  double sum = 0;
  for (std::int64_t i = 0; i < length; ++i) sum += std::exp((value(i) - largest) * scale);
  const T log_sum = static_cast<T>(std::log(sum));
  for (std::int64_t i = 0; i < length; ++i) {
    const T s = (value(i) - largest) * scale;
    dst[i * step] = convert<To>(args.log ? s - log_sum : static_cast<T>(std::exp(s) / sum));
  }
  for (std::int64_t i = length; i < args.axis; ++i) dst[i * step] = convert<To>(T(0));
}

template <typename From, typename To>
void lines(const SoftmaxArgs& args, const void* src, void* dst, const void* lengths, std::int64_t begin,
           std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int64_t offset = k / args.inner * args.axis * args.inner + k % args.inner;
    line(args, static_cast<const From*>(src) + offset, static_cast<To*>(dst) + offset,
         softmax_length(args, lengths, k));
  }
}

template <typename From>
constexpr PerType<SoftmaxFn> softmax_from() {
  return {lines<From, float>, lines<From, double>, lines<From, Float16>};
}

constexpr PerType<PerType<SoftmaxFn>> kTable = {softmax_from<float>(), softmax_from<double>(),
                                                softmax_from<Float16>()};

}  // namespace

SoftmaxFn softmax_ref(ElementType from, ElementType to) {
  return pick(pick(kTable, from), to);
}

SoftmaxKernel select_softmax(ElementType from, ElementType to, const SoftmaxArgs& args, bool lengths,
                             Target target) {
  const bool f32 = from == ElementType::float32 && to == ElementType::float32;
  if (target != Target::ref && f32) {
    if (args.inner == 1) return {"rows", softmax_rows_f32(target), target};
    if (!lengths) return {"columns", softmax_columns_f32(target), target};
  }
  return {"ref", softmax_ref(from, to)};
}

}  // namespace mxinfer::kernels
