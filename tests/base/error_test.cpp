#include <gtest/gtest.h>

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

TEST(Printable, EscapesControlBytes) {
  EXPECT_EQ(printable(std::string_view("a\n\0b", 4)), "a\\x0a\\x00b");
}

}  // namespace
}  // namespace mxinfer
