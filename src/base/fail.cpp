#include "base/fail.h"

#include <stdexcept>
#include <string_view>

#include "base/utf8.h"

namespace mxinfer {
namespace {

// C0 and C1, which a terminal interprets as commands. Precondition: the bytes are one character.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string join(std::initializer_list<MessagePart> parts) {
  std::string text;
  for (const MessagePart& part : parts) part.append_to(text);
  return text;
}

void fail_with(ErrorCode code, std::initializer_list<MessagePart> parts) {
  throw Error(code, join(parts));
}

Error as_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc& refused) {
    return as_error(refused);
  } catch (const std::length_error& refused) {
    return as_error(refused);
  } catch (const std::exception& other) {
    return {ErrorCode::internal, concat("a defect of mxinfer, please report it: ", other.what())};
  } catch (...) {
    return {ErrorCode::internal, "a defect of mxinfer, please report it: an exception of unknown type"};
  }
}

Error as_error(const std::bad_alloc& /*refused*/) {
  return {ErrorCode::out_of_memory, "the memory it needs could not be allocated"};
}

Error as_error(const std::length_error& /*refused*/) {
  return {ErrorCode::out_of_memory, "it needs more memory than a process can have"};
}

void throw_as_error() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw as_error(std::current_exception());
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLimit = 200;
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t known = utf8_bytes(text.substr(at));
    const std::string_view character = text.substr(at, known == 0 ? 1 : known);
    if (at + character.size() > kLimit) break;
    if (known == 0 || is_control(character)) {
      for (char byte : character) out += escaped_byte(byte);
    } else {
      out += character;
    }
    at += character.size();
  }
  if (at < text.size()) out += "...";
  return out;
}

}  // namespace mxinfer
