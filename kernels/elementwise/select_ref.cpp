#include "kernels/elementwise/select.h"

namespace mxinfer::kernels {
namespace {

template <typename Condition, typename T>
void loop(const void* condition, const void* x, const void* y, void* dst, std::int64_t n) {
  const auto* c = static_cast<const Condition*>(condition);
  const auto* a = static_cast<const T*>(x);
  const auto* b = static_cast<const T*>(y);
  auto* out = static_cast<T*>(dst);
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Arithmetic<Condition>>(c[i]) != 0 ? a[i] : b[i];
}

template <typename T>
constexpr PerType<SelectFn> selects_of() {
  return {loop<float, T>,        loop<double, T>,      loop<Float16, T>,      loop<std::uint8_t, T>,
          loop<std::int32_t, T>, loop<std::int8_t, T>, loop<std::int64_t, T>, loop<bool, T>};
}

}  // namespace

SelectFn select_where(ElementType condition, std::size_t size) {
  switch (size) {
    case 1:
      return pick(selects_of<std::uint8_t>(), condition);
    case 2:
      return pick(selects_of<std::uint16_t>(), condition);
    case 4:
      return pick(selects_of<std::uint32_t>(), condition);
    case 8:
      return pick(selects_of<std::uint64_t>(), condition);
    default:
      return nullptr;
  }
}

}  // namespace mxinfer::kernels
