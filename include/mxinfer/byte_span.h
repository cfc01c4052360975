// ByteSpan: a view of bytes, such as those of a JPEG file. It is made from a std::string, a std::string_view,
// or a std::vector or Span of char, std::uint8_t or std::byte.
//
//   std::string body = request.body();
//   classifier.classify_bytes(body, 5);
//
// It owns nothing: the bytes must outlive it. A ByteSpan is always contents, never a path.
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

/// A read-only view of bytes.
class ByteSpan {
 public:
  constexpr ByteSpan() noexcept = default;
  ByteSpan(const void* data, std::size_t size) noexcept
      : data_(static_cast<const std::byte*>(data)), size_(size) {}
  ByteSpan(const char* text) = delete;  // a literal ends in a zero byte: pass a std::string_view

  /// Converts anything with data() and size() whose elements are char, signed char, unsigned char or
  /// std::byte.
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

  /// Returns the same bytes as another type of one byte.
  template <typename Byte>
  Span<const Byte> as() const noexcept {
    static_assert(sizeof(Byte) == 1 && std::is_trivial_v<Byte>, "as() is for types of one byte");
    return {reinterpret_cast<const Byte*>(data_), size_};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A list of byte spans: {a, b}, or a container of anything that converts to a ByteSpan, such as a
/// std::vector<std::string> or a std::vector<std::vector<std::uint8_t>>.
using ByteSpans = ViewList<ByteSpan>;

/// Whether T is a container that owns its bytes, so that a function can take them over by a move.
template <typename T>
inline constexpr bool owns_bytes_v =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<char>> ||
    std::is_same_v<T, std::vector<unsigned char>> || std::is_same_v<T, std::vector<std::byte>>;

}  // namespace MXINFER_ABI
}  // namespace mxinfer
