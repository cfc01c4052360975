#include "kernels/scatter/ravel.h"

#include "kernels/elementwise/wrapping.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
std::int64_t add(std::int64_t whole, T value) {
  if constexpr (std::is_integral_v<T>) {
    return wrapping_add(whole, static_cast<std::int64_t>(value));
  } else {
    using A = Arithmetic<T>;
    return convert<std::int64_t>(static_cast<A>(whole) + static_cast<A>(value));
  }
}

template <typename T>
void ravel(const RavelArgs& args, const void* from, void* to) {
  const T* src = static_cast<const T*>(from);
  T* dst = static_cast<T*>(to);
  for (std::int64_t k = 0; k < args.count; ++k) {
    std::int64_t position = 0;
    for (int d = 0; d < args.rank; ++d) {
      position = add(wrapping_mul(position, args.sizes[d]), src[d * args.count + k]);
    }
    dst[k] = convert<T>(position);
  }
}

template <typename T>
void unravel(const RavelArgs& args, const void* from, void* to) {
  const T* src = static_cast<const T*>(from);
  T* dst = static_cast<T*>(to);
  for (std::int64_t k = 0; k < args.count; ++k) {
    std::int64_t rest = convert<std::int64_t>(src[k]);
    for (int d = args.rank - 1; d > 0; --d) {
      dst[d * args.count + k] = convert<T>(wrapping_rest(rest, args.sizes[d]));
      rest = wrapping_div(rest, args.sizes[d]);
    }
    dst[k] = convert<T>(rest);
  }
}

constexpr PerType<RavelFn> kRavel = {
    ravel<float>,        ravel<double>,      ravel<Float16>,      ravel<std::uint8_t>,
    ravel<std::int32_t>, ravel<std::int8_t>, ravel<std::int64_t>, nullptr};
constexpr PerType<RavelFn> kUnravel = {
    unravel<float>,        unravel<double>,      unravel<Float16>,      unravel<std::uint8_t>,
    unravel<std::int32_t>, unravel<std::int8_t>, unravel<std::int64_t>, nullptr};

}  // namespace

RavelFn select_ravel(ElementType type) {
  return pick(kRavel, type);
}

RavelFn select_unravel(ElementType type) {
  return pick(kUnravel, type);
}

}  // namespace mxinfer::kernels
