#include "kernels/sort/sort.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace mxinfer::kernels {
namespace {

/// The number by which an element is compared.
template <typename T>
Arithmetic<T> number(T element) {
  return static_cast<Arithmetic<T>>(element);
}

template <typename T>
bool has_nan(const T* row, std::int64_t length) {
  if constexpr (std::is_floating_point_v<Arithmetic<T>>) {
    return std::any_of(row, row + length, [](T x) { return number(x) != number(x); });
  } else {
    (void)row;
    (void)length;
    return false;
  }
}

// MXNet sorts the whole row if k is more than an eighth of it, and the choice shows in the order of equals.
template <typename Less>
void order(std::int64_t* first, std::int64_t length, std::int64_t k, Less less) {
  if (k * 8 > length) {
    std::sort(first, first + length, less);
  } else {
    std::partial_sort(first, first + k, first + length, less);
  }
}

template <typename T>
void order_row(const T* row, std::int64_t* order_of, const SortArgs& args) {
  std::iota(order_of, order_of + args.length, std::int64_t{0});
  const bool ascending = args.ascending;
  if (has_nan(row, args.length)) {
    // A comparison that NaN does not break, and that is the same whatever sorts: MXNet has no order to keep.
    order(order_of, args.length, args.k, [row, ascending](std::int64_t a, std::int64_t b) {
      const auto x = number(row[a]), y = number(row[b]);
      const bool x_is_nan = x != x, y_is_nan = y != y;
      if (x_is_nan != y_is_nan) return y_is_nan;
      if (x_is_nan || x == y) return a < b;
      return ascending ? x < y : x > y;
    });
  } else if (ascending) {
    order(order_of, args.length, args.k,
          [row](std::int64_t a, std::int64_t b) { return number(row[a]) < number(row[b]); });
  } else {
    order(order_of, args.length, args.k,
          [row](std::int64_t a, std::int64_t b) { return number(row[a]) > number(row[b]); });
  }
}

template <typename I>
void write_as(void* dst, const std::int64_t* order_of, const SortArgs& args, std::int64_t first) {
  I* out = static_cast<I*>(dst) + first;
  for (std::int64_t i = 0; i < args.k; ++i) out[i * args.inner] = convert<I>(order_of[i]);
}

void write_indices(const std::int64_t* order_of, const SortArgs& args, std::int64_t first) {
  switch (args.index_type) {
    case ElementType::float64:
      return write_as<double>(args.indices, order_of, args, first);
    case ElementType::float16:
      return write_as<Float16>(args.indices, order_of, args, first);
    case ElementType::uint8:
      return write_as<std::uint8_t>(args.indices, order_of, args, first);
    case ElementType::int32:
      return write_as<std::int32_t>(args.indices, order_of, args, first);
    case ElementType::int64:
      return write_as<std::int64_t>(args.indices, order_of, args, first);
    default:
      return write_as<float>(args.indices, order_of, args, first);
  }
}

template <typename T>
void sort_rows(const SortArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  auto* order_of = reinterpret_cast<std::int64_t*>(scratch);
  T* row = reinterpret_cast<T*>(order_of + args.length);
  for (std::int64_t r = begin; r < end; ++r) {
    const std::int64_t outer = r / args.inner, i = r % args.inner;
    const std::int64_t whole = outer * args.length * args.inner + i, some = outer * args.k * args.inner + i;
    const T* src = static_cast<const T*>(args.src) + whole;
    for (std::int64_t j = 0; j < args.length; ++j) row[j] = src[j * args.inner];
    order_row(row, order_of, args);
    if (args.values != nullptr) {
      T* out = static_cast<T*>(args.values) + some;
      for (std::int64_t j = 0; j < args.k; ++j) out[j * args.inner] = row[order_of[j]];
    }
    if (args.indices != nullptr) write_indices(order_of, args, some);
    if (args.mask != nullptr) {
      T* out = static_cast<T*>(args.mask) + whole;
      for (std::int64_t j = 0; j < args.length; ++j) out[j * args.inner] = convert<T>(0);
      for (std::int64_t j = 0; j < args.k; ++j) out[order_of[j] * args.inner] = convert<T>(1);
    }
  }
}

}  // namespace

SortFn select_sort(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return sort_rows<float>;
    case ElementType::float64:
      return sort_rows<double>;
    case ElementType::float16:
      return sort_rows<Float16>;
    case ElementType::uint8:
      return sort_rows<std::uint8_t>;
    case ElementType::int8:
      return sort_rows<std::int8_t>;
    case ElementType::int32:
      return sort_rows<std::int32_t>;
    case ElementType::int64:
      return sort_rows<std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace mxinfer::kernels
