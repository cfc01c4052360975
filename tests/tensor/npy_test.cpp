#include "tensor/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/fail.h"

namespace mxinfer {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// A file as NumPy would write it, whatever the header says.
Bytes file(const std::string& header, const std::string& data, int version = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) text += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes_of(text + header + data);
}

template <typename T>
std::string raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

/// The code and the message of the error that reading throws.
std::pair<ErrorCode, std::string> error_of(const Bytes& bytes) {
  try {
    read_npy(bytes, "a.npy");
  } catch (const Error& e) {
    return {e.code(), e.what()};
  }
  return {ErrorCode::internal, "nothing was thrown"};
}

TEST(Npy, ReadsWhatNumPyWrites) {
  const Bytes bytes = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }          \n",
                           raw<float>({1, 2, 3, 4, 5, 6}));
  const Tensor tensor = read_npy(bytes, "a.npy");
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor.data<float>()[5], 6.0f);
}

TEST(Npy, ReadsEveryVersion) {
  for (int version : {1, 2, 3}) {
    const Tensor tensor =
        read_npy(file("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "ab", version), "a.npy");
    EXPECT_EQ(tensor.data<std::uint8_t>()[1], 'b') << version;
  }
}

TEST(Npy, ReadsOtherSpellingsOfTheHeader) {
  for (const char* header : {"{\"descr\": \"<i2\",\"shape\":(2L,),\"fortran_order\":False}",
                             "{ 'shape' : ( 2 , ) , 'fortran_order' : False , 'descr' : '=i2' }\n"}) {
    const Tensor tensor = read_npy(file(header, raw<std::int16_t>({7, -8})), "a.npy");
    EXPECT_EQ(tensor.data<std::int16_t>()[1], -8) << header;
  }
}

TEST(Npy, ReadsBigEndian) {
  const Tensor tensor = read_npy(file("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n",
                                      std::string("\0\0\1\2\xff\xff\xff\xfe", 8)),
                                 "a.npy");
  EXPECT_EQ(tensor.data<std::int32_t>()[0], 258);
  EXPECT_EQ(tensor.data<std::int32_t>()[1], -2);
}

TEST(Npy, TurnsColumnMajorIntoRowMajor) {
  // Element (i, j, k) holds 100 i + 10 j + k; the first index runs fastest in the file.
  std::vector<std::int16_t> values;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) values.push_back(static_cast<std::int16_t>(100 * i + 10 * j + k));
    }
  }
  const std::string data(reinterpret_cast<const char*>(values.data()), values.size() * 2);
  const Tensor tensor =
      read_npy(file("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3, 4), }\n", data), "a.npy");
  const std::int16_t* at = tensor.data<std::int16_t>();
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) EXPECT_EQ(*at++, 100 * i + 10 * j + k);
    }
  }
}

TEST(Npy, ScalarsAndEmptyArraysAreArraysToo) {
  const Tensor scalar =
      read_npy(file("{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n", raw({2.5})), "a.npy");
  EXPECT_EQ(scalar.shape(), Shape());
  EXPECT_EQ(scalar.data<double>()[0], 2.5);
  const Tensor empty =
      read_npy(file("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 0), }\n", ""), "a.npy");
  EXPECT_EQ(empty.shape(), (Shape{3, 0}));
}

TEST(Npy, AnyByteThatIsNotZeroIsTrue) {
  const Tensor tensor = read_npy(
      file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", std::string("\0\1\xff", 3)),
      "a.npy");
  EXPECT_EQ(static_cast<const std::uint8_t*>(tensor.raw())[2], 1);
  EXPECT_FALSE(tensor.data<bool>()[0]);
}

TEST(Npy, WritesWhatItReadsForEveryDType) {
  for (int code = 0; code <= static_cast<int>(DType::bfloat16); ++code) {
    const auto dtype = static_cast<DType>(code);
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{2, 3, 5}, Shape{0, 4}}) {
      Tensor tensor(dtype, shape);
      auto* data = static_cast<unsigned char*>(tensor.raw());
      for (std::size_t i = 0; i < tensor.bytes(); ++i) {
        data[i] = static_cast<unsigned char>(dtype == DType::boolean ? i % 2 : i * 37);
      }
      const Bytes bytes = write_npy(tensor);
      EXPECT_EQ((bytes.size() - tensor.bytes()) % 64, 0u);
      const Tensor back = read_npy(bytes, "a.npy");
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.shape(), shape);
      EXPECT_EQ(std::memcmp(back.raw(), tensor.raw(), tensor.bytes()), 0) << to_string(dtype);
    }
  }
}

TEST(Npy, WritesTheBytesOfNumPy) {
  const Bytes bytes = write_npy(Tensor(DType::float32, {3}));
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  header.append(128 - 10 - 1 - header.size(), ' ');
  EXPECT_EQ(bytes, file(header + "\n", std::string(12, '\0')));
}

TEST(Npy, SavesAndLoadsFiles) {
  const std::string path = testing::TempDir() + "/mxinfer_npy_test.npy";
  Tensor tensor(DType::int64, {4});
  tensor.data<std::int64_t>()[3] = -5;
  save_npy(path, tensor);
  EXPECT_EQ(load_npy(path).data<std::int64_t>()[3], -5);
  std::remove(path.c_str());
  EXPECT_THROW(load_npy(path), Error);
}

TEST(Npy, AFileCutAnywhereIsRefused) {
  Tensor tensor(DType::float32, {2, 3});
  const Bytes bytes = write_npy(tensor);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(error_of(cut).first, ErrorCode::malformed) << size;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_EQ(error_of(longer).first, ErrorCode::malformed);
}

TEST(Npy, ErrorsSayWhatAndWhere) {
  const auto [code, message] =
      error_of(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", "1234"));
  EXPECT_EQ(code, ErrorCode::malformed);
  EXPECT_EQ(message, "a.npy \u203a an array of float32 (2, 3) has 24 bytes, but 4 follow the header");
}

TEST(Npy, WhatItDoesNotReadIsUnsupported) {
  const std::string rest = "', 'fortran_order': False, 'shape': (1,), }\n";
  for (const char* descr : {"<c8", "|S4", "<U3", "|O", "<M8[ns]", "f4", "", "<", "|V4"}) {
    EXPECT_EQ(error_of(file("{'descr': '" + std::string(descr) + rest, "12345678")).first,
              ErrorCode::unsupported)
        << descr;
  }
  EXPECT_EQ(
      error_of(file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234")).first,
      ErrorCode::unsupported);
  EXPECT_EQ(error_of(file("{}", "", 4)).first, ErrorCode::unsupported);
}

TEST(Npy, HeadersThatDoNotParseAreMalformed) {
  for (const char* header :
       {"", "{", "{}", "x", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "{'descr': '<f4', 'descr': '<f4'}",
        "{'descr': '<f4", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 'x'}"}) {
    EXPECT_EQ(error_of(file(header, "1234")).first, ErrorCode::malformed) << header;
  }
}

TEST(Npy, AnImmenseShapeCostsNoMemory) {
  const auto [code, message] =
      error_of(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }\n", "1234"));
  EXPECT_EQ(code, ErrorCode::malformed) << message;
}

}  // namespace
}  // namespace mxinfer
