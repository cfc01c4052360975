// A part of a message: text, a character or a number. One function, compiled once, writes a list of parts;
// stream operators would be compiled into each file that has a message.
#pragma once

#include <string>
#include <string_view>

namespace mxinfer {

/// Does not own its text: a part must not outlive what it was made of.
class MessagePart {
 public:
  MessagePart(std::string_view text) : kind_(Kind::text), text_(text) {}
  MessagePart(const std::string& text) : MessagePart(std::string_view(text)) {}
  MessagePart(const char* text) : MessagePart(std::string_view(text)) {}
  MessagePart(char character) : kind_(Kind::character), character_(character) {}
  MessagePart(bool flag) : MessagePart(static_cast<unsigned long long>(flag)) {}
  MessagePart(int number) : MessagePart(static_cast<long long>(number)) {}
  MessagePart(long number) : MessagePart(static_cast<long long>(number)) {}
  MessagePart(long long number) : kind_(Kind::integer), integer_(number) {}
  MessagePart(unsigned number) : MessagePart(static_cast<unsigned long long>(number)) {}
  MessagePart(unsigned long number) : MessagePart(static_cast<unsigned long long>(number)) {}
  MessagePart(unsigned long long number) : kind_(Kind::natural), natural_(number) {}
  MessagePart(float number) : MessagePart(static_cast<double>(number)) {}
  MessagePart(double number) : kind_(Kind::real), real_(number) {}
  // Deleted: << would print a byte as a character, and an address is not readable.
  MessagePart(signed char) = delete;
  MessagePart(unsigned char) = delete;
  template <typename T>
  MessagePart(const T*) = delete;

  void append_to(std::string& out) const;

 private:
  enum class Kind : unsigned char { text, character, integer, natural, real };

  Kind kind_;
  union {
    std::string_view text_;
    char character_;
    long long integer_;
    unsigned long long natural_;
    double real_;
  };
};

}  // namespace mxinfer
