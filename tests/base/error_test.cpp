#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "base/fail.h"

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

Error error_of(const std::function<void()>& thrower) {
  try {
    at_border(thrower);
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

TEST(Fail, OtherExceptionsGainTheContextToo) {
  const Error error = error_of(
      [] { in_context([] { return std::string("node 'x'"); }, [] { throw std::out_of_range("detail"); }); });
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(std::string(error.what()).rfind("node 'x' \u203a ", 0), 0u) << error.what();
}

TEST(Printable, EscapesControlBytes) {
  EXPECT_EQ(printable(std::string_view("a\n\0b", 4)), "a\\x0a\\x00b");
}

}  // namespace
}  // namespace mxinfer
