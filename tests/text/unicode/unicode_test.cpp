#include "text/unicode/unicode.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenize/tokenize.h"

namespace mxinfer::text {
namespace {

std::string decoding_error(std::string_view text) {
  try {
    decode(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    return e.what();
  }
  return "";
}

TEST(Unicode, DecodesAndEncodesCharactersOfAllLengths) {
  const std::u32string characters = U"a\u00e9\u20ac\U0001f600\U0010ffff";
  const std::string text = encode(characters);
  EXPECT_EQ(text.substr(0, 10), "a\u00e9\u20ac\U0001f600");
  EXPECT_EQ(decode(text), characters);
  EXPECT_EQ(decode(std::string_view("\0b", 2)), std::u32string(U"\0b", 2));
  EXPECT_EQ(decode(""), U"");
}

TEST(Unicode, NamesTheFirstWrongByte) {
  EXPECT_EQ(decoding_error("ab\xff\xfe"),
            "the text is not UTF-8: byte 2 of 4, \\xff, begins no character; expected UTF-8");
  EXPECT_NE(decoding_error("\u00e9\xc3").find("byte 2 of 3"), std::string::npos) << "cut short";
  EXPECT_NE(decoding_error("a\xc0\x80").find("byte 1 of 3"), std::string::npos) << "overlong";
  EXPECT_NE(decoding_error("\xed\xa0\x80").find("byte 0 of 3"), std::string::npos) << "a surrogate";
  EXPECT_NE(decoding_error("\xf4\x90\x80\x80").find("byte 0 of 4"), std::string::npos) << "beyond U+10FFFF";
  EXPECT_THROW(require_utf8("\x80"), Error);
}

TEST(Unicode, LowersAsPython) {
  EXPECT_EQ(lower("HELLO, \u00c4\u00d6\u00dc \u0416"), "hello, \u00e4\u00f6\u00fc \u0436");
  EXPECT_EQ(lower("\u0130I\u0131"), "i\u0307i\u0131");  // the dotted I, and no dotless one for I
  EXPECT_EQ(lower("\u1e9e"), "\u00df");
  EXPECT_EQ(lower("\u2163 \u24b6"), "\u2173 \u24d0");
  EXPECT_EQ(lower(""), "");
}

TEST(Unicode, ASigmaThatEndsAWordIsFinal) {
  EXPECT_EQ(lower("\u039f\u0394\u039f\u03a3"), "\u03bf\u03b4\u03bf\u03c2");
  EXPECT_EQ(lower("\u039f\u03a3 \u03a3\u039f"), "\u03bf\u03c2 \u03c3\u03bf");
  EXPECT_EQ(lower("\u03a3"), "\u03c3") << "nothing stands before it";
  EXPECT_EQ(lower("1\u03a3"), "1\u03c3") << "a digit is no letter";
  EXPECT_EQ(lower("\u2160\u03a3"), "\u2170\u03c2") << "a roman numeral has a case";
  EXPECT_EQ(lower("A.\u03a3"), "a.\u03c2") << "a full stop is passed over";
  EXPECT_EQ(lower("A\u03a3'A"), "a\u03c3'a") << "an apostrophe is passed over";
  EXPECT_EQ(lower("A\u03a3\u0301"), "a\u03c2\u0301");
  EXPECT_EQ(lower("A\u03a3,A"), "a\u03c2,a");
  EXPECT_EQ(lower("A\u03a3\u03a3"), "a\u03c3\u03c2");
}

TEST(Unicode, DecomposesInCanonicalOrder) {
  EXPECT_EQ(nfd(U"\u00e9"), U"e\u0301");
  EXPECT_EQ(nfd(U"\u1e69"), U"s\u0323\u0307");
  EXPECT_EQ(nfd(U"s\u0307\u0323"), U"s\u0323\u0307") << "below goes before above";
  EXPECT_EQ(nfd(U"a\u0301\u0300"), U"a\u0301\u0300") << "marks of one class stay";
  EXPECT_EQ(nfd(U"\uac01"), U"\u1100\u1161\u11a8");
  EXPECT_EQ(nfd(U"\u037e\u212b"), U";A\u030a");
  EXPECT_EQ(nfd(U"\ufb01\u00b2"), U"\ufb01\u00b2") << "what is merely compatible stays";
}

TEST(Unicode, KnowsPythonsWhiteSpace) {
  for (const char32_t c : std::u32string_view(
           U"\t\n\v\f\r \x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000")) {
    EXPECT_TRUE(is_whitespace(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : std::u32string_view(U"a\x1b\u200b\u180e\u2060\ufeff"))
    EXPECT_FALSE(is_whitespace(c)) << static_cast<unsigned>(c);
}

TEST(Unicode, KnowsPunctuationAndIdeographs) {
  for (const char32_t c : std::u32string_view(U"!$+<=>^`|~\u00bf\u2014\u3001\uff01")) {
    EXPECT_TRUE(is_punctuation(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : std::u32string_view(U"a0 \u20ac\u00b1\u2713"))
    EXPECT_FALSE(is_punctuation(c)) << static_cast<unsigned>(c);
  for (const char32_t c : {U'\u4e00', U'\u3400', U'\U00020000', U'\uf900'}) EXPECT_TRUE(is_ideograph(c));
  for (const char32_t c : {U'\u3042', U'\uac00', U'a', U'\u33ff'}) EXPECT_FALSE(is_ideograph(c));
}

TEST(SplitText, SplitsAtWhiteSpaceAndIntoCharacters) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_text("  a\u3000bc\u2028\td\n", Split::whitespace), (Parts{"a", "bc", "d"}));
  EXPECT_EQ(split_text(" \n\u00a0", Split::whitespace), Parts{});
  EXPECT_EQ(split_text("", Split::whitespace), Parts{});
  EXPECT_EQ(split_text("a\u20ac \U0001f600", Split::characters), (Parts{"a", "\u20ac", " ", "\U0001f600"}));
  EXPECT_EQ(split_text("", Split::characters), Parts{});
  EXPECT_EQ(split_text(std::string_view("a\0b", 3), Split::whitespace), (Parts{std::string_view("a\0b", 3)}));
  EXPECT_THROW(split_text("a \xff", Split::whitespace), Error);
}

}  // namespace
}  // namespace mxinfer::text
