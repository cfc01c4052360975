#include "kernels/elementwise/quadratic.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
void run(const Quadratic& q, const void* src, void* dst, std::int64_t n) {
  using R = Real<T>;
  for (std::int64_t i = 0; i < n; ++i) {
    const R x = static_cast<R>(static_cast<Arithmetic<T>>(static_cast<const T*>(src)[i]));
    static_cast<T*>(dst)[i] = convert<T>(R(q.a) * x * x + R(q.b) * x + R(q.c));
  }
}

}  // namespace

QuadraticFn quadratic_ref(ElementType type) {
  static constexpr PerType<QuadraticFn> kFunctions = {
      run<float>,        run<double>,      run<Float16>,      run<std::uint8_t>,
      run<std::int32_t>, run<std::int8_t>, run<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
