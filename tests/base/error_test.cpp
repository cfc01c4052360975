#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer {
namespace {

TEST(Fail, ContextComesInFrontAndTheCodeStays) {
  try {
    in_context([] { return std::string("model.params"); },
               [] {
                 in_context([] { return std::string("array 'w'"); },
                            [] { fail(ErrorCode::malformed, "cut at ", 7); });
               });
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::malformed);
    EXPECT_STREQ(e.what(), "model.params \u203a array 'w' \u203a cut at 7");
  }
}

TEST(Fail, RefusedMemoryBecomesAnError) {
  try {
    in_context([] { return std::string("plan"); }, [] { throw std::bad_alloc(); });
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  }
}

void public_function(const std::function<void()>& body) try { body(); } catch (...) {
  throw_as_error();
}

Error error_of(const std::function<void()>& thrower) {
  try {
    public_function(thrower);
  } catch (const Error& e) {
    return e;
  }
  return {ErrorCode::internal, "nothing was thrown"};
}

TEST(Fail, WhatLeavesTheBorderIsAnError) {
  EXPECT_EQ(error_of([] { throw std::bad_alloc(); }).code(), ErrorCode::out_of_memory);
  EXPECT_EQ(error_of([] { std::vector<char>().reserve(~std::size_t{0}); }).code(), ErrorCode::out_of_memory);
  EXPECT_EQ(error_of([] { fail(ErrorCode::not_found, "x"); }).code(), ErrorCode::not_found);
  const Error other = error_of([] { throw std::out_of_range("a detail"); });
  EXPECT_EQ(other.code(), ErrorCode::internal);
  EXPECT_NE(std::string(other.what()).find("a detail"), std::string::npos);
  EXPECT_EQ(error_of([] { throw 7; }).code(), ErrorCode::internal);
}

TEST(Fail, LengthsThatNoMemoryHoldsGainTheContext) {
  const Error error = error_of(
      [] { in_context([] { return std::string("node 'x'"); }, [] { throw std::length_error("vector"); }); });
  EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  EXPECT_EQ(std::string(error.what()).rfind("node 'x' \u203a ", 0), 0u) << error.what();
}

TEST(Fail, WhatACallersFunctionThrowsPassesThroughContexts) {
  EXPECT_THROW(in_context([] { return std::string("tune"); }, [] { throw std::out_of_range("theirs"); }),
               std::out_of_range);
}

TEST(Printable, EscapesControlBytes) {
  EXPECT_EQ(printable(std::string_view("a\n\0b", 4)), "a\\x0a\\x00b");
}

TEST(Printable, KeepsUtf8AndEscapesWhatIsNone) {
  const std::pair<std::string, std::string> cases[] = {
      {"sch\u00f6n \u4e2d \U0001f600 \u203a", "sch\u00f6n \u4e2d \U0001f600 \u203a"},
      {"\xff\xfe", "\\xff\\xfe"},
      {"a\xe4z", "a\\xe4z"},                         // Latin-1
      {"\xe4\xb8", "\\xe4\\xb8"},                    // cut short
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond Unicode
      {"\xc2\x9b"
       "31m",
       "\\xc2\\x9b"
       "31m"},  // a control character that terminals obey
      {"\xc2\xa0", "\xc2\xa0"},
  };
  for (const auto& [text, shown] : cases) EXPECT_EQ(printable(text), shown);
}

TEST(Printable, IsCutBetweenCharacters) {
  std::string text;
  while (text.size() < 300) text += "\u4e2d";  // three bytes: 200 is inside of the 67th
  EXPECT_EQ(printable(text), text.substr(0, 198) + "...");
  EXPECT_EQ(printable(std::string(200, 'a')), std::string(200, 'a'));
  EXPECT_EQ(printable(std::string(201, 'a')), std::string(200, 'a') + "...");
  EXPECT_EQ(printable(std::string(199, 'a') + "\u00e4"), std::string(199, 'a') + "...");
}

TEST(Error, IsUtf8WhateverItIsMadeOf) {
  const Error plain(ErrorCode::malformed, "sch\u00f6n \u203a \U0001f600");
  EXPECT_STREQ(plain.what(), "sch\u00f6n \u203a \U0001f600");
  const Error bytes(ErrorCode::malformed, "folder\xff\xd8/\u00e4\xe4");
  EXPECT_STREQ(bytes.what(), "folder\\xff\\xd8/\u00e4\\xe4");
  // An image's bytes where a path belongs.
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_TRUE(is_utf8(Error(ErrorCode::not_found, all).what()));
  EXPECT_TRUE(is_utf8(printable(all)));
}

}  // namespace
}  // namespace mxinfer
