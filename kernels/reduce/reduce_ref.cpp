#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/elementwise/wrapping.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {
namespace {

/// A function: the initial accumulator, the fold of an element, the result.
struct Sum {
  /// The type of the sum.
  template <typename T>
  using Accumulator = std::conditional_t<std::is_same_v<T, bool>, std::int32_t,
                                         std::conditional_t<std::is_integral_v<T>, T, double>>;

  template <typename A>
  static A start() {
    return A(0);
  }
  template <typename A>
  static A fold(A acc, A x) {
    return wrapping_add(acc, x);
  }
  template <typename A>
  static A finish(A acc, std::int64_t) {
    return acc;
  }
};

struct Mean : Sum {
  template <typename A>
  static A finish(A acc, std::int64_t count) {
    if constexpr (std::is_integral_v<A>) {
      return count == 0 ? A(0) : static_cast<A>(static_cast<std::int64_t>(acc) / count);
    } else {
      return acc / static_cast<A>(count);
    }
  }
};

struct NanSum : Sum {
  template <typename A>
  static A fold(A acc, A x) {
    return x != x ? acc : wrapping_add(acc, x);
  }
};

struct Prod : Sum {
  template <typename A>
  static A start() {
    return A(1);
  }
  template <typename A>
  static A fold(A acc, A x) {
    return wrapping_mul(acc, x);
  }
};

struct NanProd : Prod {
  template <typename A>
  static A fold(A acc, A x) {
    return x != x ? acc : wrapping_mul(acc, x);
  }
};

struct Max : Sum {
  template <typename A>
  static A start() {
    if constexpr (std::is_integral_v<A>) return std::numeric_limits<A>::lowest();
    return static_cast<A>(-std::numeric_limits<double>::infinity());
  }
  template <typename A>
  static A fold(A acc, A x) {
    return x > acc || x != x ? x : acc;
  }
};

struct Min : Sum {
  template <typename A>
  static A start() {
    if constexpr (std::is_integral_v<A>) return std::numeric_limits<A>::max();
    return static_cast<A>(std::numeric_limits<double>::infinity());
  }
  template <typename A>
  static A fold(A acc, A x) {
    return x < acc || x != x ? x : acc;
  }
};

struct Norm1 : Sum {
  template <typename A>
  static A fold(A acc, A x) {
    if constexpr (std::is_integral_v<A>) {
      // As in MXNet, |x| is computed in double.
      return wrapping_add(acc, convert<A>(std::abs(static_cast<double>(x))));
    } else {
      return acc + std::abs(x);
    }
  }
};

/// For results of another type.
struct WideNorm1 : Norm1 {
  template <typename T>
  using Accumulator = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
};

struct Squares : Sum {
  template <typename A>
  static A fold(A acc, A x) {
    return wrapping_add(acc, wrapping_mul(x, x));
  }
};

/// Squares of integers easily overflow: they are summed in double.
struct Norm2 : Squares {
  template <typename T>
  using Accumulator = double;
  template <typename A>
  static A finish(A acc, std::int64_t) {
    return convert<A>(std::sqrt(static_cast<double>(acc)));
  }
};

template <class F, typename T>
void start(void* acc, std::int64_t columns) {
  using A = typename F::template Accumulator<T>;
  std::fill_n(static_cast<A*>(acc), columns, F::template start<A>());
}

template <class F, typename T>
void row(const void* src, std::int64_t n, void* acc) {
  using A = typename F::template Accumulator<T>;
  const T* in = static_cast<const T*>(src);
  A value = *static_cast<A*>(acc);
  for (std::int64_t i = 0; i < n; ++i) value = F::fold(value, convert<A>(in[i]));
  *static_cast<A*>(acc) = value;
}

template <class F, typename T>
void columns(const void* src, std::int64_t rows, std::int64_t stride, std::int64_t columns, void* acc) {
  using A = typename F::template Accumulator<T>;
  const T* in = static_cast<const T*>(src);
  A* values = static_cast<A*>(acc);
  for (std::int64_t i = 0; i < rows; ++i, in += stride) {
    for (std::int64_t j = 0; j < columns; ++j) values[j] = F::fold(values[j], convert<A>(in[j]));
  }
}

template <class F, typename A, typename T>
void finish(const void* acc, std::int64_t columns, std::int64_t count, void* dst) {
  const A* values = static_cast<const A*>(acc);
  T* out = static_cast<T*>(dst);
  for (std::int64_t j = 0; j < columns; ++j) out[j] = convert<T>(F::finish(values[j], count));
}

template <class F, typename T>
constexpr ReduceFold fold_of() {
  using A = typename F::template Accumulator<T>;
  return {"ref", start<F, T>, row<F, T>, columns<F, T>, finish<F, A, T>, sizeof(T), sizeof(T)};
}

struct Entry {
  std::string_view name;
  PerType<ReduceFold> folds;
};

/// Booleans are counted as 0 and 1, and a result is true if it is not 0: mean is the same as sum.
template <class F>
using OfBooleans = std::conditional_t<std::is_same_v<F, Mean>, Sum, F>;

template <class F>
constexpr Entry make_entry(std::string_view name) {
  return {name,
          {fold_of<F, float>(), fold_of<F, double>(), fold_of<F, Float16>(), fold_of<F, std::uint8_t>(),
           fold_of<F, std::int32_t>(), fold_of<F, std::int8_t>(), fold_of<F, std::int64_t>(),
           fold_of<OfBooleans<F>, bool>()}};
}

constexpr Entry kEntries[] = {
    make_entry<Sum>("sum"),
    make_entry<Mean>("mean"),
    make_entry<Prod>("prod"),
    make_entry<NanSum>("nansum"),
    make_entry<Max>("max"),
    make_entry<NanProd>("nanprod"),
    make_entry<Min>("min"),
    make_entry<Norm1>("norm1"),
    make_entry<Norm2>("norm2"),
    make_entry<Squares>("squares"),
    make_entry<WideNorm1>("wide_norm1"),
};

/// How results of a type are made of accumulators.
struct Results {
  void (*finish)(const void* acc, std::int64_t columns, std::int64_t count, void* dst);
  std::size_t size;
};

template <class F, typename A, typename T>
constexpr Results results_of() {
  return {finish<F, A, T>, sizeof(T)};
}

template <class F, typename A>
constexpr PerType<Results> kResults = {results_of<F, A, float>(),        results_of<F, A, double>(),
                                       results_of<F, A, Float16>(),      results_of<F, A, std::uint8_t>(),
                                       results_of<F, A, std::int32_t>(), results_of<F, A, std::int8_t>(),
                                       results_of<F, A, std::int64_t>(), results_of<F, A, bool>()};

template <typename T, bool kDivides>
void finish_integer(const void* acc, std::int64_t columns, std::int64_t count, void* dst) {
  const auto* values = static_cast<const double*>(acc);
  T* out = static_cast<T*>(dst);
  for (std::int64_t j = 0; j < columns; ++j) {
    out[j] = convert<T>(values[j]);
    if constexpr (kDivides && !std::is_same_v<T, bool>) {
      if (count > 0) out[j] = static_cast<T>(static_cast<std::int64_t>(out[j]) / count);
    }
  }
}

template <bool kDivides>
constexpr PerType<Results> kIntegerResults = {
    Results{},
    Results{},
    Results{},
    Results{finish_integer<std::uint8_t, kDivides>, sizeof(std::uint8_t)},
    Results{finish_integer<std::int32_t, kDivides>, sizeof(std::int32_t)},
    Results{finish_integer<std::int8_t, kDivides>, sizeof(std::int8_t)},
    Results{finish_integer<std::int64_t, kDivides>, sizeof(std::int64_t)},
    Results{finish_integer<bool, kDivides>, sizeof(bool)}};

bool is_floating(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 || type == ElementType::float16;
}

/// Steps through all positions of the first `rank` dimensions; keeps their offset in the source.
struct Odometer {
  const ReduceDims& dims;
  std::size_t rank;
  std::array<std::int64_t, ReduceDims::kMaxRank> index{};
  std::int64_t offset = 0;

  void set(std::int64_t position) {
    offset = 0;
    for (std::size_t d = rank; d-- > 0;) {
      index[d] = position % dims.sizes[d];
      position /= dims.sizes[d];
      offset += index[d] * dims.strides[d];
    }
  }
  /// Returns false after the last position, and wraps to the first.
  bool next() {
    for (std::size_t d = rank; d-- > 0;) {
      offset += dims.strides[d];
      if (++index[d] < dims.sizes[d]) return true;
      offset -= dims.strides[d] * dims.sizes[d];
      index[d] = 0;
    }
    return false;
  }
};

}  // namespace

ReduceFold reduce_ref(std::string_view function, ElementType type) {
  for (const Entry& entry : kEntries) {
    if (entry.name == function) return pick(entry.folds, type);
  }
  return {};
}

ReduceFold select_reduce(std::string_view function, ElementType type, Target target) {
  ReduceFold fold = reduce_ref(function, type);
  if (target != Target::ref && type == ElementType::float32) reduce_simd_f32(function, target, fold);
  return fold;
}

ReduceFold select_norm(std::string_view function, ElementType type, ElementType result, Target target) {
  const bool of_integers = !is_floating(type) && function == "norm1";
  // Vector code sums short runs in float32.
  const Target exact = result == ElementType::float64 ? Target::ref : target;
  ReduceFold fold = select_reduce(of_integers ? "wide_norm1" : function, type, exact);
  if (fold.variant == nullptr) return fold;
  const Results results = pick(of_integers           ? kResults<WideNorm1, std::int64_t>
                               : function == "norm1" ? kResults<Norm1, double>
                                                     : kResults<Norm2, double>,
                               result);
  fold.finish = results.finish;
  fold.result_size = results.size;
  return fold;
}

ReduceFold select_reduce_to_integer(std::string_view function, ElementType type, ElementType result,
                                    Target target) {
  const bool divides = function == "mean";
  ReduceFold fold = select_reduce(divides ? "sum" : function, type, target);
  const Results results = pick(divides ? kIntegerResults<true> : kIntegerResults<false>, result);
  fold.finish = results.finish;
  fold.result_size = results.size;
  return fold;
}

void reduce(const ReduceFold& fold, const ReduceShape& shape, const void* src, void* dst, std::int64_t begin,
            std::int64_t end) {
  const ReduceDims &kept = shape.kept, &reduced = shape.reduced;
  const std::int64_t count = reduced.elements();
  const std::int64_t run = kept.sizes[kept.rank - 1], run_stride = kept.strides[kept.rank - 1];
  const std::int64_t rows = reduced.sizes[reduced.rank - 1], row_stride = reduced.strides[reduced.rank - 1];
  const bool side_by_side = run_stride == 1 && row_stride != 1;
  const auto at = [&](std::int64_t offset) {
    return static_cast<const std::byte*>(src) + static_cast<std::size_t>(offset) * fold.element_size;
  };
  Odometer outer{kept, kept.rank - 1};
  while (begin < end) {
    outer.set(begin / run);
    const std::int64_t column = begin % run;
    const std::int64_t n = side_by_side ? std::min({run - column, end - begin, kReduceColumns}) : 1;
    const std::int64_t base = outer.offset + column * run_stride;
    ReduceAccumulators acc;
    fold.start(acc.data(), n);
    Odometer inner{reduced, reduced.rank - 1};
    for (bool more = count > 0; more; more = inner.next()) {
      if (side_by_side) {
        fold.columns(at(base + inner.offset), rows, row_stride, n, acc.data());
      } else {
        fold.row(at(base + inner.offset), rows, acc.data());
      }
    }
    fold.finish(acc.data(), n, count,
                static_cast<std::byte*>(dst) + static_cast<std::size_t>(begin) * fold.result_size);
    begin += n;
  }
}

namespace {

/// Whether x replaces the best so far.
template <bool kLargest, typename T>
bool better(T x, T best) {
  if (best != best) return false;
  return (kLargest ? x > best : x < best) || x != x;
}

template <bool kLargest, typename T, typename Out>
void arg_lines(const void* src, void* dst, std::int64_t axis, std::int64_t inner, std::int64_t begin,
               std::int64_t end) {
  using C = Arithmetic<T>;
  constexpr std::int64_t kColumns = 64;
  while (begin < end) {
    const std::int64_t column = begin % inner;
    const std::int64_t n = std::min({inner - column, end - begin, kColumns});
    const T* in = static_cast<const T*>(src) + begin / inner * axis * inner + column;
    C best[kColumns];
    std::int64_t position[kColumns] = {};
    for (std::int64_t j = 0; j < n; ++j) best[j] = convert<C>(in[j]);
    for (std::int64_t i = 1; i < axis; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const C x = convert<C>(in[i * inner + j]);
        if (better<kLargest>(x, best[j])) {
          best[j] = x;
          position[j] = i;
        }
      }
    }
    for (std::int64_t j = 0; j < n; ++j) static_cast<Out*>(dst)[begin + j] = convert<Out>(position[j]);
    begin += n;
  }
}

template <bool kLargest>
constexpr PerType<ArgReduceFn> kArgReduce = {arg_lines<kLargest, float, float>,
                                             arg_lines<kLargest, double, double>,
                                             arg_lines<kLargest, Float16, Float16>,
                                             arg_lines<kLargest, std::uint8_t, std::uint8_t>,
                                             arg_lines<kLargest, std::int32_t, std::int32_t>,
                                             arg_lines<kLargest, std::int8_t, std::int8_t>,
                                             arg_lines<kLargest, std::int64_t, std::int64_t>,
                                             nullptr};

template <bool kLargest>
constexpr PerType<ArgReduceFn> kArgPositions = {
    arg_lines<kLargest, float, std::int64_t>,        arg_lines<kLargest, double, std::int64_t>,
    arg_lines<kLargest, Float16, std::int64_t>,      arg_lines<kLargest, std::uint8_t, std::int64_t>,
    arg_lines<kLargest, std::int32_t, std::int64_t>, arg_lines<kLargest, std::int8_t, std::int64_t>,
    arg_lines<kLargest, std::int64_t, std::int64_t>, nullptr};

}  // namespace

ArgReduceFn select_arg_reduce(bool largest, ElementType type) {
  return largest ? pick(kArgReduce<true>, type) : pick(kArgReduce<false>, type);
}

ArgReduceFn select_arg_positions(bool largest, ElementType type) {
  return largest ? pick(kArgPositions<true>, type) : pick(kArgPositions<false>, type);
}

}  // namespace mxinfer::kernels
