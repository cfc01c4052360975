// Parts of messages are written as a stream writes them, whatever the locale.
#include "base/message_part.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>

#include "base/fail.h"

namespace mxinfer {
namespace {

template <typename T>
std::string streamed(const T& value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << value;
  return std::move(text).str();
}

template <typename T>
void expect_limits_as_streamed() {
  for (const T value : {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T{0}, T{1}}) {
    EXPECT_EQ(concat(value), streamed(value));
  }
}

TEST(MessagePart, WritesWholeNumbersAsStreamsDo) {
  expect_limits_as_streamed<short>();
  expect_limits_as_streamed<unsigned short>();
  expect_limits_as_streamed<int>();
  expect_limits_as_streamed<unsigned>();
  expect_limits_as_streamed<std::int64_t>();
  expect_limits_as_streamed<std::uint64_t>();
  expect_limits_as_streamed<long long>();
  expect_limits_as_streamed<unsigned long long>();
  EXPECT_EQ(concat(true, false), "10");
}

TEST(MessagePart, WritesRealNumbersAsStreamsDo) {
  expect_limits_as_streamed<float>();
  expect_limits_as_streamed<double>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double value :
       {0.1, -0.0, 1.0 / 3, 2.5e-5, 1e-4, 0.00012345678, 999999.5, 123456.0, 1234567.0, 1e5, 1e6, 1e21,
        5e-324, 3.14159265358979, 100.0, kInfinity, -kInfinity, kNan, -kNan}) {
    EXPECT_EQ(concat(value), streamed(value));
    EXPECT_EQ(concat(static_cast<float>(value)), streamed(static_cast<float>(value)));
  }
}

TEST(MessagePart, WritesTextAndCharacters) {
  const std::string owned = "owned";
  EXPECT_EQ(concat("array ", owned, std::string_view(" viewed"), '.', 4, std::string("")),
            "array owned viewed.4");
  EXPECT_EQ(concat(), "");
}

}  // namespace
}  // namespace mxinfer
