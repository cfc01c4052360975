#include "formats/arrays/params.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "base/fail.h"
#include "formats/expect_has.h"
#include "sources/source.h"
#include "support/files/params_writer.h"
#include "tensor/npy.h"

namespace mxinfer::formats {
namespace {

using namespace mxinfer::test;
using Bytes = std::vector<std::byte>;

std::vector<NamedArray> read(const Bytes& bytes, const ParamsLimits& limits = {},
                             std::vector<std::string>* warnings = nullptr) {
  return read_params(*sources::from_memory(bytes, "a.params"), limits, warnings);
}

Tensor read_one(const Record& record) {
  auto arrays = read(ParamsWriter().add("arg:w", record).finish());
  EXPECT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays.at(0).name, "arg:w");
  return std::move(arrays.at(0).tensor);
}

// The error's message; "" if nothing was thrown.
std::string params_error(const Bytes& bytes, const ParamsLimits& limits = {}) {
  try {
    read(bytes, limits);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::malformed) << e.what();
    return e.what();
  }
  return {};
}

std::string error_of_record(const Record& record, const ParamsLimits& limits = {}) {
  return params_error(ParamsWriter().add("arg:w", record).finish(), limits);
}

template <typename T>
std::vector<T> values(const Tensor& tensor) {
  const auto span = tensor.span<T>();
  return std::vector<T>(span.begin(), span.end());
}

TEST(Params, TheWorkedExampleOfTheFormatDescription) {
  const unsigned char file[] = {0x12, 0x01, 0,    0,    0, 0, 0,    0,    0,    0,    0,    0,    0,
                                0,    0,    0,  // magic, reserved
                                0x01, 0,    0,    0,    0, 0, 0,    0,    0xC9, 0xFA, 0x93, 0xF9, 0,
                                0,    0,    0,  // one array, V2, dense
                                0x02, 0,    0,    0,    2, 0, 0,    0,    0,    0,    0,    0,    3,
                                0,    0,    0,  // (2, 3)
                                0,    0,    0,    0,    1, 0, 0,    0,    0,    0,    0,    0,    0,
                                0,    0,    0,  // CPU 0, float32
                                0,    0,    0,    0,    0, 0, 0x80, 0x3F, 0,    0,    0,    0x40, 0,
                                0,    0x40, 0x40,  // elements
                                0,    0,    0x80, 0x40, 0, 0, 0xA0, 0x40, 0x01, 0,    0,    0,    0,
                                0,    0,    0,  // and one name
                                0x05, 0,    0,    0,    0, 0, 0,    0,    0x61, 0x72, 0x67, 0x3A, 0x77};
  ASSERT_EQ(sizeof file, 109u);
  const auto* first = reinterpret_cast<const std::byte*>(file);
  const Bytes bytes(first, first + sizeof file);
  const auto arrays = read(bytes);
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].name, "arg:w");
  EXPECT_EQ(arrays[0].tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(values<float>(arrays[0].tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(
      ParamsWriter().add("arg:w", dense_v2(DType::float32, {2, 3}, floats({0, 1, 2, 3, 4, 5}))).finish(),
      bytes);
}

TEST(Params, EveryVersionOfADenseRecord) {
  const auto data = floats({0, 1, 2, 3, 4, 5});
  for (const Record& record :
       {legacy(DType::float32, {2, 3}, data), dense_v1(DType::float32, {2, 3}, data),
        dense_v2(DType::float32, {2, 3}, data), dense_v3(DType::float32, {2, 3}, data)}) {
    const Tensor tensor = read_one(record);
    EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
    EXPECT_EQ(values<float>(tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(Params, EveryType) {
  for (std::int32_t flag = 0; flag <= 12; ++flag) {
    const auto dtype = static_cast<DType>(flag);
    Bytes data(3 * size_of(dtype));
    for (std::size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<std::byte>(dtype == DType::boolean ? i % 2 : i + 1);
    const Tensor tensor = read_one(dense_v2(dtype, {3}, data));
    EXPECT_EQ(tensor.dtype(), dtype);
    EXPECT_EQ(std::memcmp(tensor.raw(), data.data(), data.size()), 0) << to_string(dtype);
  }
  EXPECT_HAS(error_of_record(dense_v2(static_cast<DType>(13), {1}, Bytes(8))), "type number 13");
  EXPECT_HAS(error_of_record(dense_v2(static_cast<DType>(-1), {1}, Bytes(8))), "type number -1");
}

TEST(Params, BooleansAreMadeZeroOrOne) {
  const Tensor tensor = read_one(dense_v2(DType::boolean, {3}, elements<std::uint8_t>({0, 2, 255})));
  EXPECT_EQ(std::memcmp(tensor.raw(), "\0\1\1", 3), 0);
}

TEST(Params, TheDeviceIsOfNoInterest) {
  for (std::int32_t device : {0, 1, 2, 3, 5, -7}) {
    EXPECT_EQ(values<float>(read_one(dense_v2(DType::float32, {1}, floats({4}), device))),
              std::vector<float>{4});
  }
}

TEST(Params, LargeArraysAreReadPastTheWindow) {
  std::vector<float> many(50'000);
  std::iota(many.begin(), many.end(), 0.0f);
  const auto arrays = read(ParamsWriter()
                               .add("arg:a", dense_v2(DType::float32, {50'000}, floats(many)))
                               .add("arg:b", dense_v2(DType::float32, {1}, floats({3})))
                               .finish());
  EXPECT_EQ(values<float>(arrays.at(0).tensor), many);
  EXPECT_EQ(values<float>(arrays.at(1).tensor), std::vector<float>{3});
}

TEST(Params, ArraysWithoutDimensionsAreNoneButForNumPyRules) {
  const Record none_legacy = ByteWriter().put(std::uint32_t{0}).bytes();
  const Record none_v1 = ByteWriter().put(kRecordV1).shape64({}).bytes();
  const Record none_v2 = ByteWriter().put(kRecordV2).put(std::int32_t{0}).shape64({}).bytes();
  const Record none_v3 = ByteWriter().put(kRecordV3).put(std::int32_t{0}).put(std::int32_t{-1}).bytes();
  const Record unknown_v3 = ByteWriter().put(kRecordV3).put(std::int32_t{0}).shape64({2, -1}).bytes();
  for (const Record& record : {none_legacy, none_v1, none_v2, none_v3, unknown_v3}) {
    EXPECT_EQ(read_one(record).shape(), Shape{0});
  }
  const Tensor scalar = read_one(dense_v3(DType::float32, {}, floats({7})));
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_EQ(values<float>(scalar), std::vector<float>{7});
}

TEST(Params, ADimensionOfZeroIsAnArrayWithoutElements) {
  EXPECT_EQ(read_one(dense_v1(DType::float32, {0, 3}, {})).shape(), (Shape{0, 3}));
  EXPECT_EQ(read_one(dense_v2(DType::float32, {2, 0}, {})).shape(), (Shape{2, 0}));
  EXPECT_EQ(read_one(dense_v3(DType::float32, {0}, {})).shape(), Shape{0});
  EXPECT_EQ(read_one(legacy(DType::float32, {0}, {})).shape(), Shape{0});
}

TEST(Params, AScalarThatMxnetWroteWronglyIsExplained) {
  // The elements that follow a record without dimensions are misread as the next record.
  const Record broken = ByteWriter()
                            .put(kRecordV2)
                            .put(std::int32_t{0})
                            .shape64({})
                            .placed(DType::float32)
                            .append(floats({3.5f}))
                            .bytes();
  const std::string message = params_error(ParamsWriter()
                                               .add("arg:scalar", broken)
                                               .add("arg:w", dense_v2(DType::float32, {2}, floats({1, 2})))
                                               .finish());
  EXPECT_HAS(message, "array 0 before it has no dimensions");
  EXPECT_HAS(message, "15988");
}

TEST(Params, RowSparseIsMadeDense) {
  const Tensor tensor = read_one(row_sparse({4, 2}, {2, 2}, {1, 3}, {1, 2, 3, 4}));
  EXPECT_EQ(tensor.shape(), (Shape{4, 2}));
  EXPECT_EQ(values<float>(tensor), (std::vector<float>{0, 0, 1, 2, 0, 0, 3, 4}));
  EXPECT_EQ(values<float>(read_one(row_sparse({2, 2}, {0, 2}, {}, {}))), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(values<float>(read_one(row_sparse({3}, {1}, {2}, {5}))), (std::vector<float>{0, 0, 5}));
}

TEST(Params, CsrIsMadeDense) {
  const Tensor tensor = read_one(csr({2, 3}, {0, 1, 3}, {2, 0, 1}, {8, 9, 10}));
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(values<float>(tensor), (std::vector<float>{0, 0, 8, 9, 10, 0}));
  EXPECT_EQ(values<float>(read_one(csr({1, 2}, {0, 0}, {}, {}))), (std::vector<float>{0, 0}));
  EXPECT_EQ(values<float>(read_one(csr({1, 2}, {}, {}, {}))), (std::vector<float>{0, 0}));
}

TEST(Params, SparsePartsMustFitTogether) {
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {2, 2}, {3, 1}, {1, 2, 3, 4})), "row index 1 is 1");
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {2, 2}, {1, 1}, {1, 2, 3, 4})), "row index 1 is 1");
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {2, 2}, {1, 4}, {1, 2, 3, 4})), "row index 1 is 4");
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {2, 2}, {-1, 2}, {1, 2, 3, 4})), "row index 0 is -1");
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {1, 2}, {1, 2}, {1, 2})), "values of shape (1, 2)");
  EXPECT_HAS(error_of_record(row_sparse({4, 2}, {2, 1}, {1, 2}, {1, 2})), "values of shape (2, 1)");
  EXPECT_HAS(error_of_record(csr({2, 3}, {0, 1, 2}, {2, 0, 1}, {8, 9, 10})), "from 0 to 2");
  EXPECT_HAS(error_of_record(csr({2, 3}, {1, 1, 3}, {2, 0, 1}, {8, 9, 10})), "from 1 to 3");
  EXPECT_HAS(error_of_record(csr({2, 3}, {0, 3}, {2, 0, 1}, {8, 9, 10})), "2 + 1 entries");
  EXPECT_HAS(error_of_record(csr({3, 3}, {0, 3, 1, 3}, {2, 0, 1}, {8, 9, 10})), "descends at row 2");
  EXPECT_HAS(error_of_record(csr({2, 3}, {0, 1, 3}, {2, 0, 3}, {8, 9, 10})), "column index 3");
  EXPECT_HAS(error_of_record(csr({2, 3}, {0, 1, 3}, {2, -1, 1}, {8, 9, 10})), "column index -1");
  EXPECT_HAS(error_of_record(csr({6}, {0, 1, 3}, {2, 0, 1}, {8, 9, 10})), "two dimensions");
  EXPECT_HAS(error_of_record(csr({2, 3}, {0, 1, 3}, {2, 0, 1}, {8, 9})), "values of shape (2,)");
}

TEST(Params, WhatSparseArraysUnpackToIsLimited) {
  EXPECT_HAS(error_of_record(row_sparse({std::int64_t{1} << 40, 1}, {1, 1}, {5}, {1})), "unpacks to float32");
  EXPECT_HAS(error_of_record(row_sparse({std::int64_t{1} << 62, 16}, {1, 16}, {5}, std::vector<float>(16))),
             "unpacks to float32");
  ParamsLimits limits;
  limits.unpacked_bytes = 48;
  const Record twelve = row_sparse({12}, {1}, {5}, {1});
  EXPECT_EQ(read(ParamsWriter().add("a", twelve).finish(), limits).size(), 1u);
  EXPECT_HAS(params_error(ParamsWriter().add("a", twelve).add("b", twelve).finish(), limits), "0 bytes more");
}

TEST(Params, ASmallFileUnpacksToLittle) {
  constexpr std::int64_t kMillion = 1'000'000, kMiB = std::int64_t{1} << 20;
  // A large vocabulary of which few rows were ever written to is honest.
  const auto honest = read(
      ParamsWriter().add("a", row_sparse({kMillion, 60}, {1, 60}, {5}, std::vector<float>(60))).finish());
  EXPECT_EQ(honest.at(0).tensor.shape(), Shape({kMillion, 60}));
  const std::string message = error_of_record(row_sparse({1 << 28, 1}, {1, 1}, {5}, {1}));
  EXPECT_HAS(message, "float32 (268435456, 1), 1073741824 bytes");
  EXPECT_HAS(message, "a file of this size");
  EXPECT_HAS(message, "dense");
  const ParamsLimits limits;
  EXPECT_EQ(unpacked_limit(0, limits), 256 * kMiB);
  EXPECT_EQ(unpacked_limit(10 * kMiB, limits), 1256 * kMiB);
  EXPECT_EQ(unpacked_limit(std::int64_t{1} << 40, limits), limits.unpacked_bytes);
  EXPECT_EQ(unpacked_limit(std::int64_t{1} << 62, limits), limits.unpacked_bytes);
}

TEST(Params, NamesMayBeAbsentAndStrange) {
  const Record record = dense_v2(DType::float32, {1}, floats({1}));
  auto arrays = read(ParamsWriter().add("", record).add("", record).finish(false));
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[1].name, "");
  const std::string strange("a\0b\xff\n", 5);
  EXPECT_EQ(read(ParamsWriter().add(strange, record).finish()).at(0).name, strange);
  EXPECT_HAS(params_error(ParamsWriter().add("arg:w", record).add("arg:w", record).finish()),
             "two arrays are named 'arg:w'");
}

TEST(Params, TheCountOfNamesMustBeThatOfArrays) {
  const Record record = dense_v2(DType::float32, {1}, floats({1}));
  ByteWriter file;
  file.put(std::uint64_t{0x112})
      .put(std::uint64_t{0})
      .put(std::uint64_t{1})
      .append(record)
      .put(std::uint64_t{2});
  file.text("a").text("b");
  EXPECT_HAS(params_error(file.bytes()), "1 arrays and 2 names");
}

TEST(Params, AFileWithoutArraysIsRead) {
  EXPECT_TRUE(read(ParamsWriter().finish()).empty());
}

TEST(Params, BytesBehindTheEndAreAWarning) {
  Bytes bytes = ParamsWriter().add("arg:w", dense_v2(DType::float32, {1}, floats({1}))).finish();
  bytes.resize(bytes.size() + 3);
  std::vector<std::string> warnings;
  EXPECT_EQ(read(bytes, {}, &warnings).size(), 1u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HAS(warnings[0], "3 bytes after its end");
}

TEST(Params, HugeClaimsAreRefusedBeforeMemoryIsTaken) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_HAS(error_of_record(dense_v2(DType::float32, {huge}, {})), "bytes at byte");
  EXPECT_HAS(error_of_record(dense_v2(DType::float32, {huge, huge}, {})), "too large");
  EXPECT_HAS(error_of_record(dense_v2(DType::float64, {std::int64_t{1} << 62}, {})), "too large");
  EXPECT_HAS(error_of_record(dense_v2(DType::float32, {-1}, {})), "dimension of -1");
  EXPECT_HAS(error_of_record(dense_v3(DType::float32, {-2}, {})), "dimension of -2");
  EXPECT_HAS(error_of_record(ByteWriter().put(kRecordV1).put(std::int32_t{33}).bytes()),
             "count of 33 dimensions");
  EXPECT_HAS(error_of_record(ByteWriter().put(kRecordV1).put(std::int32_t{-1}).bytes()),
             "count of -1 dimensions");
  EXPECT_HAS(error_of_record(legacy(DType::float32, {0xffffffffu, 0xffffffffu, 0xffffffffu}, {})),
             "too large");
  const auto counted = [](std::uint64_t arrays) {
    return ByteWriter()
        .put(std::uint64_t{0x112})
        .put(std::uint64_t{0})
        .put(arrays)
        .put(std::uint64_t{0})
        .bytes();
  };
  EXPECT_HAS(params_error(counted(std::uint64_t{1} << 60)), "cannot hold more than 2");
  EXPECT_HAS(params_error(counted(~std::uint64_t{0})), "cannot hold more than 2");
  Bytes name = ParamsWriter().add("arg:w", dense_v2(DType::float32, {1}, floats({1}))).finish();
  const std::uint64_t length = ~std::uint64_t{0} - 3;
  std::memcpy(name.data() + name.size() - 13, &length, 8);
  EXPECT_HAS(params_error(name), "the name of array 0");
}

TEST(Params, LimitsHold) {
  const Record record = dense_v2(DType::float32, {1}, floats({1}));
  ParamsLimits limits;
  limits.arrays = 1;
  EXPECT_HAS(params_error(ParamsWriter().add("a", record).add("b", record).finish(), limits),
             "the limit is 1");
  limits.name_bytes = 4;
  EXPECT_EQ(params_error(ParamsWriter().add("1234", record).finish(), limits), "");
  EXPECT_HAS(params_error(ParamsWriter().add("12345", record).finish(), limits), "4 are allowed");
}

TEST(Params, MessagesNameTheFileTheArrayAndTheByte) {
  const std::string message = params_error(ParamsWriter()
                                               .add("arg:a", dense_v2(DType::float32, {1}, floats({1})))
                                               .add("arg:b", ByteWriter().put(std::uint32_t{77}).bytes())
                                               .finish());
  EXPECT_HAS(message, "a.params \u203a array 1 of 2 (at byte 60) \u203a no array starts at byte 60");
}

TEST(Params, StorageTypesOfNoKindAreRefused) {
  EXPECT_HAS(error_of_record(ByteWriter().put(kRecordV2).put(std::int32_t{3}).shape64({1}).bytes()),
             "storage type 3");
  EXPECT_HAS(error_of_record(ByteWriter().put(kRecordV2).put(std::int32_t{-1}).shape64({1}).bytes()),
             "storage type -1");
  EXPECT_HAS(error_of_record(ByteWriter().put(kRecordV3).put(std::int32_t{1}).shape64({1}).bytes()),
             "expected 0 (dense)");
}

TEST(Params, WhatIsNoParamsFileIsToldApart) {
  const auto of_text = [](const std::string& text) {
    return params_error(ByteWriter().raw(text.data(), text.size()).bytes());
  };
  EXPECT_HAS(of_text(""), "empty");
  EXPECT_HAS(of_text("{\"nodes\": []}"), "JSON");
  EXPECT_HAS(of_text("version https://git-lfs.github.com/spec/v1\noid"), "Git LFS pointer");
  EXPECT_HAS(of_text("<!DOCTYPE html><html>"), "web page");
  EXPECT_HAS(of_text("\x1f\x8b and so on"), "gzip");
  EXPECT_HAS(of_text("abc"), "ends inside the header");
  EXPECT_HAS(of_text("0123456789abcdef"), "expected 274");
}

TEST(Params, NumPyFilesAreReadToo) {
  Tensor tensor(DType::float32, {2});
  tensor.data<float>()[1] = 4;
  const auto arrays = read(write_npy(tensor));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(values<float>(arrays[0].tensor), (std::vector<float>{0, 4}));
  const auto zipped =
      read_params(*sources::open_file(MXINFER_SOURCE_DIR "/tests/golden/formats/numpy_compressed.npz"));
  ASSERT_EQ(zipped.size(), 3u);
  EXPECT_EQ(zipped[0].name, "picture");
}

TEST(Params, NamesAreSplitAtTheFirstColon) {
  EXPECT_EQ(split_name("arg:fc1_weight").prefix, "arg");
  EXPECT_EQ(split_name("arg:fc1_weight").bare, "fc1_weight");
  EXPECT_EQ(split_name("arg:a:b").bare, "a:b");
  EXPECT_EQ(split_name("fc1_weight").prefix, "");
  EXPECT_EQ(split_name("fc1_weight").bare, "fc1_weight");
  EXPECT_EQ(split_name(":x").bare, "x");
}

// --- damage ---

TEST(Params, AFileCutAnywhereIsRefused) {
  const Bytes bytes = every_variant();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(params_error(cut), "") << "cut at " << size;
  }
  EXPECT_EQ(read(bytes).size(), 6u);
}

TEST(Params, AnyByteMayBeWrongWithoutHarm) {
  const Bytes bytes = every_variant();
  ParamsLimits limits;
  limits.unpacked_bytes = 1 << 20;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff, 0x7f, 0x55}) {
      Bytes damaged = bytes;
      damaged[i] ^= static_cast<std::byte>(flip);
      try {
        read(damaged, limits);
      } catch (const Error& e) {
        ASSERT_NE(e.code(), ErrorCode::internal) << e.what();
        ASSERT_NE(e.code(), ErrorCode::out_of_memory) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer::formats
