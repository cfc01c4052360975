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
constexpr PerType<CastFn> casts_from() {
  return {loop<From, float>,        loop<From, double>,       loop<From, Float16>,
          loop<From, std::uint8_t>, loop<From, std::int32_t>, loop<From, std::int8_t>,
          loop<From, std::int64_t>, loop<From, bool>};
}

constexpr PerType<PerType<CastFn>> kTable = {casts_from<float>(),        casts_from<double>(),
                                             casts_from<Float16>(),      casts_from<std::uint8_t>(),
                                             casts_from<std::int32_t>(), casts_from<std::int8_t>(),
                                             casts_from<std::int64_t>(), casts_from<bool>()};

}  // namespace

CastFn select_cast(ElementType from, ElementType to) {
  return pick(pick(kTable, from), to);
}

}  // namespace mxinfer::kernels
