// Span<T>: a view of consecutive elements, made from a vector, an array, a std::span, or a pointer and a
// count.
//
//   std::vector<float> pixels(3 * 224 * 224);
//   predictor.predict_flat<float>({pixels});
//
// A span owns nothing: the elements must outlive it.
#pragma once

#include <mxinfer/export.h>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A view of consecutive elements. Span<const T> is read-only.
template <typename T>
class Span {
 public:
  using value_type = std::remove_cv_t<T>;

  constexpr Span() noexcept = default;
  constexpr Span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}

  template <std::size_t N>
  constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}

  /// Converts anything with data() and size(): std::vector, std::array, std::string, std::span, another Span.
  template <typename Container, typename Pointer = decltype(std::declval<Container&>().data()),
            typename = decltype(std::declval<Container&>().size()),
            typename = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<Pointer> (*)[], T (*)[]>>>
  constexpr Span(Container&& container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }
  /// Returns elements [offset, offset + count). Precondition: they are inside the span.
  constexpr Span subspan(std::size_t offset, std::size_t count) const noexcept {
    return Span(data_ + offset, count);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
