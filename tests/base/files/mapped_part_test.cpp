#include "base/files/mapped_part.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

using test::TempDir;

std::string text_of(const MappedPart& part) {
  return {reinterpret_cast<const char*>(part.data()), part.bytes()};
}

TEST(MappedPart, HasTheBytesOfAnyPart) {
  const TempDir dir;
  std::string contents;
  for (int i = 0; contents.size() < 20'000; ++i) contents += std::to_string(i) + ' ';
  const std::string path = dir.write("file", contents);
  for (const std::size_t offset : {0U, 1U, 4095U, 4096U, 9000U}) {
    const MappedPart part(RegularFile(path), static_cast<std::int64_t>(offset), 5000);
    read_pages(part.data(), part.bytes());
    EXPECT_EQ(text_of(part), contents.substr(offset, 5000)) << offset;
  }
  EXPECT_EQ(MappedPart(RegularFile(path), 100, 0).bytes(), 0U);
}

TEST(MappedPart, WhatIsWrittenStaysInTheProcess) {
  const TempDir dir;
  const std::string path = dir.write("file", std::string(10'000, 'a'));
  const MappedPart part(RegularFile(path), 4096, 100);
  std::memset(part.data(), 'b', part.bytes());
  EXPECT_EQ(text_of(part), std::string(100, 'b'));
  EXPECT_EQ(test::read_file(path), std::string(10'000, 'a'));
  EXPECT_EQ(text_of(MappedPart(RegularFile(path), 4096, 100)), std::string(100, 'a'));
}

TEST(MappedPart, TheFileMustHaveIt) {
  const TempDir dir;
  const std::string path = dir.write("file", "0123456789");
  EXPECT_EQ(text_of(MappedPart(RegularFile(path), 4, 6)), "456789");
  EXPECT_MXINFER_ERROR(MappedPart(RegularFile(path), 4, 7), ErrorCode::malformed,
                       {"7 bytes at byte 4", "has 10"});
  EXPECT_MXINFER_ERROR(MappedPart(RegularFile(path), 11, 0), ErrorCode::malformed, {"byte 11"});
  EXPECT_MXINFER_ERROR(MappedPart(RegularFile(path), 1, ~std::size_t{0}), ErrorCode::malformed, {"has 10"});
  const RegularFile file(path);
  std::filesystem::resize_file(path, 5);
  EXPECT_MXINFER_ERROR(MappedPart(file, 4, 6), ErrorCode::malformed, {"has 5"});
}

}  // namespace
}  // namespace mxinfer
