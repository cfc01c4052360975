// The key "sequence" of signatures.
#include "formats/json/sequence_json.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <nlohmann/json.hpp>

#include "formats/json/signature_json.h"
#include "support/expect_error.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;

FileSignature read_with(const std::string& sequence) {
  return parse_signature(
      R"({"version": 1, "inputs": [{"name": "text", "shape": [-1, -1], "dtype": "uint8", "meaning": "text"}],
          "outputs": [{"name": "out"}], "network": {"inputs": [{"name": "data0"}, {"name": "data1"}, {"name": "data2"}],
          "outputs": [{"name": "out"}]}, "sequence": )" +
      sequence + "}");
}

TEST(SequenceJson, AllKeys) {
  const FileSignature file = read_with(
      R"({"ids": "data0", "length": "data2", "segments": "data1", "buckets": [16, 32, 64], "pad_value": 1,
          "pad_side": "left", "too_long": "error", "truncate_side": "left", "later": 3})");
  ASSERT_TRUE(file.sequence);
  const FileSequence& sequence = *file.sequence;
  EXPECT_EQ(sequence.ids, "data0");
  EXPECT_EQ(sequence.length, "data2");
  EXPECT_EQ(sequence.segments, "data1");
  EXPECT_EQ(sequence.buckets, (std::vector<std::int64_t>{16, 32, 64}));
  EXPECT_EQ(sequence.pad_value, 1.0);
  EXPECT_EQ(sequence.pad_side, Side::left);
  EXPECT_EQ(sequence.too_long, TooLong::error);
  EXPECT_EQ(sequence.truncate_side, Side::left);
  EXPECT_EQ(parse_signature(signature_text(file)).sequence->buckets, sequence.buckets);
  EXPECT_EQ(sequence_text(parse_signature(signature_text(file)).sequence.value()), sequence_text(sequence));
}

TEST(SequenceJson, EveryKeyMayBeLeftOut) {
  const FileSignature file = read_with("{}");
  ASSERT_TRUE(file.sequence);
  EXPECT_TRUE(file.sequence->ids.empty());
  EXPECT_FALSE(file.sequence->pad_side);
  EXPECT_EQ(sequence_text(*file.sequence), "{}");
}

TEST(SequenceJson, WhatIsWrongIsNamed) {
  using E = ErrorCode;
  EXPECT_MXINFER_ERROR(read_with("3"), E::malformed, {"sequence", "3"});
  EXPECT_MXINFER_ERROR(read_with(R"({"ids": 3})"), E::malformed, {"sequence", "ids"});
  EXPECT_MXINFER_ERROR(read_with(R"({"ids": "data"})"), E::malformed, {"ids", "'data'", "no input"});
  EXPECT_MXINFER_ERROR(read_with(R"({"length": "text"})"), E::malformed, {"length", "'text'"});
  EXPECT_MXINFER_ERROR(read_with(R"({"buckets": 3})"), E::malformed, {"buckets"});
  EXPECT_MXINFER_ERROR(read_with(R"({"buckets": [0]})"), E::malformed, {"buckets", "0"});
  EXPECT_MXINFER_ERROR(read_with(R"({"buckets": [8, 8]})"), E::malformed, {"buckets", "ascending"});
  EXPECT_MXINFER_ERROR(read_with(R"({"buckets": [99999999999]})"), E::malformed, {"buckets"});
  EXPECT_MXINFER_ERROR(read_with(R"({"pad_side": "up"})"), E::malformed, {"pad_side", "left or right"});
  EXPECT_MXINFER_ERROR(read_with(R"({"too_long": true})"), E::malformed, {"too_long"});
  EXPECT_MXINFER_ERROR(read_with(R"({"too_long": "cut"})"), E::malformed, {"too_long", "truncate or error"});
  EXPECT_MXINFER_ERROR(read_with(R"({"pad_value": "0"})"), E::malformed, {"pad_value", "number"});
  FileSignature file = read_with("{}");
  file.sequence->buckets = {8, 4};
  EXPECT_MXINFER_ERROR(signature_text(file), E::invalid_argument, {"buckets"});
}

}  // namespace
}  // namespace mxinfer::formats
