#include "kernels/elementwise/cast.h"

namespace mxinfer::kernels {
namespace {

template <typename From, typename To>
void loop(const void* src, void* dst, std::int64_t n) {
  const From* in = static_cast<const From*>(src);
  To* out = static_cast<To*>(dst);
  for (std::int64_t i = 0; i < n; ++i) out[i] = convert<To>(in[i]);
}

template <typename From>
constexpr TypeRow<CastFn> row() {
  return {loop<From, float>,        loop<From, double>,       loop<From, Float16>,
          loop<From, std::uint8_t>, loop<From, std::int32_t>, loop<From, std::int8_t>,
          loop<From, std::int64_t>, loop<From, bool>};
}

constexpr TypeRow<TypeRow<CastFn>> kTable = {row<float>(),        row<double>(),       row<Float16>(),
                                             row<std::uint8_t>(), row<std::int32_t>(), row<std::int8_t>(),
                                             row<std::int64_t>(), row<bool>()};

}  // namespace

CastFn select_cast(ElementType from, ElementType to) {
  return pick(pick(kTable, from), to);
}

}  // namespace mxinfer::kernels
