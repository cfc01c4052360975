#include "base/message_part.h"

#include <charconv>

namespace mxinfer {
namespace {

template <typename Number, typename... Format>
void append_number(std::string& out, Number number, Format... format) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), number, format...).ptr);
}

}  // namespace

void MessagePart::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::text:
      out += text_;
      break;
    case Kind::character:
      out += character_;
      break;
    case Kind::integer:
      append_number(out, integer_);
      break;
    case Kind::natural:
      append_number(out, natural_);
      break;
    case Kind::real:  // "%.6g", as a stream does
      append_number(out, real_, std::chars_format::general, 6);
      break;
  }
}

}  // namespace mxinfer
