// ByteChoices: decisions read from a fuzzer's bytes, so that a small change of the bytes is a small change of
// what is made of them. Where the bytes have ended, every answer is the first one.
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace mxinfer::test {

class ByteChoices {
 public:
  explicit ByteChoices(Span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// 0 .. limit - 1, for a limit of 1 to 65536.
  std::size_t below(std::size_t limit) {
    std::size_t value = next();
    if (limit > 256) value = value * 256 + next();
    return value % limit;
  }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <typename List>
  const auto& of(const List& list) {
    return std::data(list)[below(std::size(list))];
  }

 private:
  std::uint8_t next() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
  Span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace mxinfer::test
