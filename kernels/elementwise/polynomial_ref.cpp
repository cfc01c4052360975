#include <type_traits>

#include "kernels/elementwise/polynomial.h"
#include "kernels/elementwise/wrapping.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
void polynomial(const void* p, std::int64_t count, const void* x, void* dst, std::int64_t begin,
                std::int64_t end) {
  using C = std::conditional_t<std::is_integral_v<T>, T, double>;
  const T* coefficients = static_cast<const T*>(p);
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = convert<C>(static_cast<const T*>(x)[i]);
    C sum = 0;
    for (std::int64_t k = 0; k < count; ++k)
      sum = wrapping_add(wrapping_mul(sum, at), convert<C>(coefficients[k]));
    static_cast<T*>(dst)[i] = convert<T>(sum);
  }
}

}  // namespace

PolynomialFn select_polynomial(ElementType type) {
  static constexpr PerType<PolynomialFn> kFunctions = {
      polynomial<float>,        polynomial<double>,      polynomial<Float16>,      polynomial<std::uint8_t>,
      polynomial<std::int32_t>, polynomial<std::int8_t>, polynomial<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
