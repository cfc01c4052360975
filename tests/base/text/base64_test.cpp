// Base64: the vectors of RFC 4648, and what is none.
#include "base/text/base64.h"

#include <gtest/gtest.h>

#include <string>

#include "base/fail.h"

namespace mxinfer {
namespace {

std::string decoded(std::string_view text) {
  const std::vector<std::byte> bytes = bytes_of_base64(text);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Base64, GivesAllBytes) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9v"), "foo");
  EXPECT_EQ(decoded("Zm9vYg=="), "foob");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"=", "==", "Z", "Zg", "Zg=", "====", "Z===", "Zm9v=", "Zm8=Zm8=", "Z!=="})
    EXPECT_THROW(decoded(text), Error) << text;
}

}  // namespace
}  // namespace mxinfer
