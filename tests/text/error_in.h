// What a call throws, as text.
//
//   EXPECT_EQ(test::error_in([&] { (void)vocabulary.word(5); }), "invalid_argument: ...");
#pragma once

#include <mxinfer/error.h>

#include <string>

namespace mxinfer::test {

/// "malformed: line 3: ..."; empty if the call throws no Error.
template <typename Body>
std::string error_in(const Body& body) {
  try {
    (void)body();
  } catch (const Error& e) {
    return std::string(to_string(e.code())) + ": " + e.what();
  }
  return "";
}

}  // namespace mxinfer::test
