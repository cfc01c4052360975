// ByteCursor: reads a source from front to back. Each read is checked against the remaining bytes. Small
// reads come from a window, so a header of twenty fields is one read of the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sources/source.h"

namespace mxinfer::formats {

class ByteCursor {
 public:
  explicit ByteCursor(const sources::Source& source) : source_(source) {}

  std::int64_t position() const { return position_; }
  std::int64_t left() const { return source_.size() - position_; }

  /// Throws Error(malformed) with `what` and the position if fewer bytes are left.
  void require(std::int64_t bytes, const char* what) const;
  void read(void* dst, std::int64_t bytes, const char* what);
  void skip(std::int64_t bytes, const char* what);
  /// A number as stored, little endian.
  template <typename T>
  T read(const char* what) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    read(&value, sizeof value, what);
    return value;
  }

 private:
  const sources::Source& source_;
  std::int64_t position_ = 0;
  std::vector<std::byte> window_;
  std::int64_t window_start_ = 0;
};

}  // namespace mxinfer::formats
