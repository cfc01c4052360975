#include "formats/byte_cursor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/fail.h"

namespace mxinfer::formats {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are stored");

namespace {
constexpr std::int64_t kWindow = 4096;
}

void ByteCursor::require(std::int64_t bytes, const char* what) const {
  if (bytes > left()) {
    fail(ErrorCode::malformed, "the file ends inside ", what, ": ", bytes, " bytes are needed at byte ",
         position_, ", ", left(), " are left");
  }
}

void ByteCursor::read(void* dst, std::int64_t bytes, const char* what) {
  require(bytes, what);
  if (bytes == 0) return;
  if (bytes >= kWindow) {
    source_.read(position_, dst, static_cast<std::size_t>(bytes));
  } else {
    const auto window_end = window_start_ + static_cast<std::int64_t>(window_.size());
    if (position_ < window_start_ || position_ + bytes > window_end) {
      window_.resize(static_cast<std::size_t>(std::min(kWindow, left())));
      window_start_ = position_;
      source_.read(position_, window_.data(), window_.size());
    }
    std::memcpy(dst, window_.data() + (position_ - window_start_), static_cast<std::size_t>(bytes));
  }
  position_ += bytes;
}

void ByteCursor::skip(std::int64_t bytes, const char* what) {
  require(bytes, what);
  position_ += bytes;
}

}  // namespace mxinfer::formats
