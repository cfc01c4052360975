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

template <typename Condition, typename T>
void stepped(const void* condition, const void* x, const void* y, void* dst, std::int64_t n,
             std::int64_t condition_step, std::int64_t x_step, std::int64_t y_step) {
  const auto* c = static_cast<const Condition*>(condition);
  const auto* a = static_cast<const T*>(x);
  const auto* b = static_cast<const T*>(y);
  auto* out = static_cast<T*>(dst);
  for (std::int64_t i = 0; i < n; ++i) {
    const bool chosen = static_cast<Arithmetic<Condition>>(c[i * condition_step]) != 0;
    out[i] = chosen ? a[i * x_step] : b[i * y_step];
  }
}

template <typename T>
constexpr PerType<SelectFn> selects_of() {
  return {loop<float, T>,        loop<double, T>,      loop<Float16, T>,      loop<std::uint8_t, T>,
          loop<std::int32_t, T>, loop<std::int8_t, T>, loop<std::int64_t, T>, loop<bool, T>};
}
template <typename T>
constexpr PerType<SelectSteppedFn> stepped_selects_of() {
  return {stepped<float, T>,        stepped<double, T>,       stepped<Float16, T>,
          stepped<std::uint8_t, T>, stepped<std::int32_t, T>, stepped<std::int8_t, T>,
          stepped<std::int64_t, T>, stepped<bool, T>};
}

/// That of a type of `size` bytes; null for other sizes.
template <typename Fn>
Fn pick_by_size(const PerType<Fn>& of1, const PerType<Fn>& of2, const PerType<Fn>& of4,
                const PerType<Fn>& of8, ElementType condition, std::size_t size) {
  switch (size) {
    case 1:
      return pick(of1, condition);
    case 2:
      return pick(of2, condition);
    case 4:
      return pick(of4, condition);
    case 8:
      return pick(of8, condition);
    default:
      return nullptr;
  }
}

}  // namespace

SelectFn select_where(ElementType condition, std::size_t size) {
  return pick_by_size(selects_of<std::uint8_t>(), selects_of<std::uint16_t>(), selects_of<std::uint32_t>(),
                      selects_of<std::uint64_t>(), condition, size);
}

SelectSteppedFn select_where_stepped(ElementType condition, std::size_t size) {
  return pick_by_size(stepped_selects_of<std::uint8_t>(), stepped_selects_of<std::uint16_t>(),
                      stepped_selects_of<std::uint32_t>(), stepped_selects_of<std::uint64_t>(), condition,
                      size);
}

}  // namespace mxinfer::kernels
