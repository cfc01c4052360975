// A part of a message: text, a character or a number. What is handed over as a list of parts is written by
// one function that is compiled once; a stream's operators would be compiled into each file that has a
// message.
#pragma once

#include <string>
#include <string_view>

namespace mxinfer {

/// Of text only the address is held: a part lives no longer than what it was made of.
class TextPart {
 public:
  TextPart(std::string_view text) : kind_(Kind::text), text_(text) {}
  TextPart(const std::string& text) : TextPart(std::string_view(text)) {}
  TextPart(const char* text) : TextPart(std::string_view(text)) {}
  TextPart(char character) : kind_(Kind::character), character_(character) {}
  TextPart(bool flag) : TextPart(static_cast<unsigned long long>(flag)) {}
  TextPart(int number) : TextPart(static_cast<long long>(number)) {}
  TextPart(long number) : TextPart(static_cast<long long>(number)) {}
  TextPart(long long number) : kind_(Kind::integer), integer_(number) {}
  TextPart(unsigned number) : TextPart(static_cast<unsigned long long>(number)) {}
  TextPart(unsigned long number) : TextPart(static_cast<unsigned long long>(number)) {}
  TextPart(unsigned long long number) : kind_(Kind::natural), natural_(number) {}
  TextPart(float number) : TextPart(static_cast<double>(number)) {}
  TextPart(double number) : kind_(Kind::real), real_(number) {}
  // A byte is a number to some and a character to <<; an address is nothing to be read.
  TextPart(signed char) = delete;
  TextPart(unsigned char) = delete;
  template <typename T>
  TextPart(const T*) = delete;

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
