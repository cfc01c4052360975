// ByteSpan: borrowed bytes, such as those of a JPEG file, from whatever holds them: std::string,
// std::string_view, std::vector or Span of char, std::uint8_t or std::byte.
//
//   std::string body = request.body();
//   classifier.classify_bytes(body, 5);
//
// It owns nothing: what it points to must outlive it. It never stands for a path.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/view_list.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

class ByteSpan {
 public:
  constexpr ByteSpan() noexcept = default;
  ByteSpan(const void* data, std::size_t size) noexcept
      : data_(static_cast<const std::byte*>(data)), size_(size) {}
  ByteSpan(const char* text) = delete;  // a literal ends in a zero byte; give a std::string_view

  /// From anything with data() and size() whose elements are char, signed char, unsigned char or std::byte.
  template <typename Container,
            typename Element =
                std::remove_cv_t<std::remove_pointer_t<decltype(std::declval<const Container&>().data())>>,
            typename = decltype(std::declval<const Container&>().size()),
            typename = std::enable_if_t<
                !std::is_same_v<Container, ByteSpan> &&
                (std::is_same_v<Element, char> || std::is_same_v<Element, signed char> ||
                 std::is_same_v<Element, unsigned char> || std::is_same_v<Element, std::byte>)>>
  ByteSpan(const Container& container) noexcept
      : ByteSpan(static_cast<const void*>(container.data()), container.size()) {}
  template <std::size_t N>
  ByteSpan(const std::byte (&array)[N]) noexcept : ByteSpan(array, N) {}
  template <std::size_t N>
  ByteSpan(const unsigned char (&array)[N]) noexcept : ByteSpan(array, N) {}

  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  /// The same bytes as another type of one byte.
  template <typename Byte>
  Span<const Byte> as() const noexcept {
    static_assert(sizeof(Byte) == 1 && std::is_trivial_v<Byte>, "as() is for types of one byte");
    return {reinterpret_cast<const Byte*>(data_), size_};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A list of them, from {a, b}, or from a list of anything that makes a ByteSpan: a
/// std::vector<std::string>, a std::vector<std::vector<std::uint8_t>>.
using ByteSpans = ViewList<ByteSpan>;

/// Whether a type is a container that has bytes of its own, which a function may take over.
template <typename T>
inline constexpr bool owns_bytes_v =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<char>> ||
    std::is_same_v<T, std::vector<unsigned char>> || std::is_same_v<T, std::vector<std::byte>>;

}  // namespace MXINFER_ABI
}  // namespace mxinfer
