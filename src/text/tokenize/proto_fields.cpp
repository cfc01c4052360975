#include "text/tokenize/proto_fields.h"

#include "base/fail.h"

namespace mxinfer::text {

bool ProtoFields::next() {
  if (rest_.empty()) return false;
  const std::size_t at = size_ - rest_.size();
  const std::uint64_t tag = read_varint();
  if (tag > 0xffffffff) fail(ErrorCode::malformed, "the field at byte ", at, " has number ", tag >> 3);
  number_ = tag >> 3;
  value_ = 0;
  bytes_ = {};
  is_bytes_ = false;
  switch (tag & 7) {
    case 0:
      value_ = read_varint();
      break;
    case 1:
      take(8);
      break;
    case 2:
      is_bytes_ = true;
      bytes_ = take(read_varint());
      break;
    case 5:
      take(4);
      break;
    default:
      fail(ErrorCode::malformed, "the field at byte ", at, " has type ", tag & 7, "; expected 0, 1, 2 or 5");
  }
  if (number_ == 0) fail(ErrorCode::malformed, "the field at byte ", at, " has number 0");
  return true;
}

std::uint64_t ProtoFields::read_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  fail(ErrorCode::malformed, "the number before byte ", size_ - rest_.size(), " has more than 64 bits");
}

std::string_view ProtoFields::take(std::uint64_t bytes) {
  if (bytes > rest_.size()) {
    fail(ErrorCode::malformed, "at byte ", size_ - rest_.size(), " ", rest_.size(), " bytes are left, ",
         bytes, " are needed");
  }
  const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(bytes));
  rest_.remove_prefix(taken.size());
  return taken;
}

}  // namespace mxinfer::text
