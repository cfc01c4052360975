#include "sources/source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "support/files/temp_dir.h"

namespace mxinfer::sources {
namespace {

Span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

template <typename Body>
std::pair<ErrorCode, std::string> error_of(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    return {e.code(), e.what()};
  }
  return {ErrorCode::internal, "nothing was thrown"};
}

void check_ranges(const Source& source) {
  ASSERT_EQ(source.size(), 10);
  char part[4] = {};
  source.read(3, part, 3);
  EXPECT_STREQ(part, "345");
  source.read(10, part, 0);
  const std::vector<std::pair<std::int64_t, std::size_t>> outside = {
      {8, 3}, {11, 0}, {-1, 1}, {0, 11}, {5, ~std::size_t{0}}, {INT64_MAX, 1}};
  for (const auto& range : outside) {
    const auto [code, message] = error_of([&] { source.read(range.first, part, range.second); });
    EXPECT_EQ(code, ErrorCode::malformed);
    EXPECT_NE(message.find(source.name()), std::string::npos) << message;
  }
}

TEST(Source, FilesAndMemoryAreReadInRanges) {
  const test::TempDir folder;
  const auto file = open_file(folder.write("digits", "0123456789"));
  EXPECT_EQ(file->name(), folder / "digits");
  check_ranges(*file);
  const std::string text = "0123456789";
  check_ranges(*from_memory(bytes_of(text), "ten digits"));
}

TEST(Source, WhatIsNoFileIsNamed) {
  const test::TempDir folder;
  const auto missing = error_of([&] { open_file(folder / "absent"); });
  EXPECT_EQ(missing.first, ErrorCode::not_found);
  EXPECT_NE(missing.second.find(folder / "absent"), std::string::npos);
  EXPECT_NE(missing.second.find("No such file"), std::string::npos) << missing.second;
  EXPECT_NE(error_of([&] { open_file(folder.path()); }).second.find("is a folder"), std::string::npos);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { open_file(folder / "pipe"); }).second.find("not a regular file"),
            std::string::npos);
}

TEST(Source, AFileThatShrinksIsAnError) {
  const test::TempDir folder;
  const auto source = open_file(folder.write("digits", "0123456789"));
  folder.write("digits", "0123");
  char part[8];
  EXPECT_NE(error_of([&] { source->read(0, part, 8); }).second.find("ended at byte 4"), std::string::npos);
}

TEST(Source, ThreadsReadAtTheSameTime) {
  const test::TempDir folder;
  std::string text(1 << 16, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7);
  const auto source = open_file(folder.write("big", text));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      char part[64];
      for (std::size_t offset = t * 64; offset + 64 <= text.size(); offset += 256) {
        source->read(static_cast<std::int64_t>(offset), part, 64);
        wrong[t] += std::memcmp(part, text.data() + offset, 64) != 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Source, TextIsLimited) {
  const std::string text = "0123456789";
  EXPECT_EQ(read_text(*from_memory(bytes_of(text), "text")), text);
  EXPECT_EQ(error_of([&] { read_text(*from_memory(bytes_of(text), "text"), 9); }).first,
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace mxinfer::sources
