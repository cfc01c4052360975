#include "formats/archive/packed_index.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace mxinfer::formats {
namespace {

PackedIndex sample() {
  return {
      {"0.1.0, GNU 12.2.0", "avx512", "float32", 0xfedcba9876543210},
      "packed/avx512.bin",
      {{0, "conv0_weight", "panels of 64", 0, 100, 1}, {2, "fc \"1\"", "panels", 128, 4, ~std::uint64_t{0}}}};
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = packed_index_text(sample());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PackedIndex, IsReadAsItWasWritten) {
  const auto index = parse_packed_index(packed_index_text(sample()));
  ASSERT_TRUE(index);
  EXPECT_EQ(index->key, sample().key);
  EXPECT_EQ(index->data, "packed/avx512.bin");
  ASSERT_EQ(index->weights.size(), 2U);
  const PackedEntry& last = index->weights[1];
  EXPECT_EQ(last.parameter, 2U);
  EXPECT_EQ(last.name, "fc \"1\"");
  EXPECT_EQ(last.packing, "panels");
  EXPECT_EQ(last.offset, 128U);
  EXPECT_EQ(last.bytes, 4U);
  EXPECT_EQ(last.checksum, ~std::uint64_t{0});
  EXPECT_NO_THROW(check_inside(*index, 132));
  EXPECT_MXINFER_ERROR(check_inside(*index, 131), ErrorCode::malformed, {"ends at byte 132", "has 131"});
}

TEST(PackedIndex, OfAnotherFormatIsPassedOver) {
  EXPECT_FALSE(parse_packed_index(R"({"format": 1000000, "weights": "by other means"})"));
  EXPECT_FALSE(parse_packed_index(replaced("\"format\": 1", "\"format\": 0")));
}

TEST(PackedIndex, WhatIsWrongIsNamed) {
  const auto expect_malformed = [](const std::string& text, const std::vector<std::string>& facts) {
    EXPECT_MXINFER_ERROR(parse_packed_index(text), ErrorCode::malformed, facts);
  };
  expect_malformed("[]", {"index"});
  expect_malformed("{}", {"format"});
  expect_malformed(replaced("\"data\"", "\"dada\""), {"data"});
  expect_malformed(replaced("fedcba9876543210", "fedcba987654321"), {"graph", "16 hexadecimal digits"});
  expect_malformed(replaced("fedcba9876543210", "fedcba987654321x"), {"graph"});
  expect_malformed(replaced("128", "127"), {"byte 127", "multiple of 64"});
  expect_malformed(replaced("128", "64"), {"byte 64", "in front of the end"});
  expect_malformed(replaced("128", "-64"), {"offset"});
  expect_malformed(replaced("128", "9223372036854775744"), {"offset"});
  expect_malformed(replaced("\"bytes\": 4", "\"bytes\": 9223372036854775807"), {"bytes"});
  expect_malformed(replaced("\"bytes\": 4", "\"bytes\": 1e300"), {"bytes"});
  expect_malformed(replaced("\"parameter\": 2", "\"parameter\": 99999999999"), {"parameter"});
  const std::string text = packed_index_text(sample());
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_THROW(static_cast<void>(parse_packed_index(text.substr(0, size))), Error) << size;
}

}  // namespace
}  // namespace mxinfer::formats
