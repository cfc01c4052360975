// Expects an Error with a code and with facts in its message.
//
//   EXPECT_MXINFER_ERROR(Model::load("nowhere"), ErrorCode::not_found, {"nowhere", "-symbol.json"});
#pragma once

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <functional>
#include <string>
#include <vector>

namespace mxinfer::test {

inline void expect_error(const char* expression, const std::function<void()>& body, ErrorCode code,
                         const std::vector<std::string>& facts) {
  try {
    body();
  } catch (const Error& e) {
    EXPECT_STREQ(to_string(e.code()), to_string(code)) << expression << "\n  said: " << e.what();
    for (const std::string& fact : facts) {
      EXPECT_NE(std::string(e.what()).find(fact), std::string::npos)
          << expression << "\n  said: " << e.what() << "\n  which lacks: " << fact;
    }
    return;
  }
  ADD_FAILURE() << expression << " threw no Error";
}

}  // namespace mxinfer::test

// A macro for the text of the expression alone.
#define EXPECT_MXINFER_ERROR(expression, code, ...) \
  ::mxinfer::test::expect_error(                    \
      #expression, [&] { (void)(expression); }, code, __VA_ARGS__)
