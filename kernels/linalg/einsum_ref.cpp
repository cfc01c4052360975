#include <array>
#include <type_traits>

#include "kernels/elementwise/wrapping.h"
#include "kernels/linalg/einsum.h"

namespace mxinfer::kernels {
namespace {

using Offsets = std::array<std::int64_t, kEinsumMostArrays>;

template <typename T>
using Product = std::conditional_t<std::is_integral_v<T>, T, double>;

template <typename C>
C multiplied(C a, C b) {
  if constexpr (std::is_same_v<C, bool>) {
    return a && b;
  } else {
    return wrapping_mul(a, b);
  }
}

template <typename C>
C added(C a, C b) {
  if constexpr (std::is_same_v<C, bool>) {
    return a || b;
  } else {
    return wrapping_add(a, b);
  }
}

template <typename T>
class Loop {
 public:
  using C = Product<T>;

  explicit Loop(const EinsumArgs& args) : args_(args), dims_(args.kept + args.summed) {}

  void run(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; ++i) {
      Offsets at{};
      std::int64_t rest = i;
      for (std::size_t d = args_.kept; d-- > 0; rest /= args_.sizes[d]) advance(at, d, rest % args_.sizes[d]);
      static_cast<T*>(args_.dst)[i] = convert<T>(sum(at));
    }
  }

 private:
  std::int64_t stride(std::size_t array, std::size_t d) const { return args_.strides[array * dims_ + d]; }

  void advance(Offsets& at, std::size_t d, std::int64_t by) const {
    for (std::size_t k = 0; k < args_.arrays; ++k) at[k] += by * stride(k, d);
  }

  C product(const Offsets& at) const {
    C result = element(0, at[0]);
    for (std::size_t k = 1; k < args_.arrays; ++k) result = multiplied(result, element(k, at[k]));
    return result;
  }

  C element(std::size_t array, std::int64_t at) const {
    return convert<C>(static_cast<const T*>(args_.src[array])[at]);
  }

  C sum(Offsets at) const {
    C result{};
    std::array<std::int64_t, kEinsumMostDims> index{};
    for (std::size_t d = args_.kept; d < dims_; ++d) {
      if (args_.sizes[d] == 0) return result;
    }
    while (true) {
      result = added(result, product(at));
      std::size_t d = dims_;
      while (d > args_.kept) {
        --d;
        if (++index[d] < args_.sizes[d]) {
          advance(at, d, 1);
          break;
        }
        advance(at, d, 1 - args_.sizes[d]);
        index[d] = 0;
        if (d == args_.kept) return result;
      }
      if (args_.summed == 0) return result;
    }
  }

  const EinsumArgs& args_;
  std::size_t dims_;
};

template <typename T>
void einsum(const EinsumArgs& args, std::int64_t begin, std::int64_t end) {
  Loop<T>(args).run(begin, end);
}

}  // namespace

EinsumFn select_einsum(ElementType type) {
  static constexpr PerType<EinsumFn> kFunctions = {
      einsum<float>,        einsum<double>,      einsum<Float16>,      einsum<std::uint8_t>,
      einsum<std::int32_t>, einsum<std::int8_t>, einsum<std::int64_t>, einsum<bool>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
