#include "formats/arrays/npz.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/files/file.h"
#include "support/files/temp_dir.h"
#include "tensor/npy.h"

namespace mxinfer::formats {
namespace {

using Bytes = std::vector<std::byte>;

Bytes npz_of(const std::vector<std::pair<std::string, Bytes>>& members) {
  Bytes zip(std::size_t{1} << 20);
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_zip(writer);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, zip.data(), zip.size(), &used);
  for (const auto& [name, data] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(data.size()));
    archive_write_header(writer, entry);
    archive_write_data(writer, data.data(), data.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  zip.resize(used);
  return zip;
}

std::string golden(const std::string& name) {
  return MXINFER_SOURCE_DIR "/tests/golden/formats/" + name;
}

std::pair<ErrorCode, std::string> npz_error(const Bytes& bytes, std::uint64_t limit = kNpzByteLimit) {
  try {
    read_npz(bytes, "a.npz", limit);
  } catch (const Error& e) {
    return {e.code(), e.what()};
  }
  return {ErrorCode::internal, "nothing was thrown"};
}

TEST(Npz, ReadsWhatNumPyWrites) {
  for (const char* file : {"numpy_stored.npz", "numpy_compressed.npz"}) {
    const auto arrays = load_npz(golden(file));
    ASSERT_EQ(arrays.size(), 3u) << file;
    EXPECT_EQ(arrays[0].name, "picture");
    EXPECT_EQ(arrays[0].tensor.shape(), (Shape{3, 4}));
    EXPECT_EQ(arrays[0].tensor.data<std::uint8_t>()[11], 11);
    EXPECT_EQ(arrays[1].name, "label");
    EXPECT_EQ(arrays[1].tensor.data<std::int64_t>()[1], -1);
    EXPECT_EQ(arrays[2].name, "columns");  // column-major in the file
    EXPECT_EQ(arrays[2].tensor.data<float>()[2], 2.0f);
  }
}

TEST(Npz, AnArchiveCutAnywhereIsRefused) {
  for (const char* file : {"numpy_stored.npz", "numpy_compressed.npz"}) {
    const Bytes bytes = mxinfer::read_file(golden(file));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(npz_error(cut).first, ErrorCode::malformed) << file << " cut at " << size;
    }
  }
}

TEST(Npz, AnyByteMayBeWrongWithoutHarm) {
  const Bytes bytes = mxinfer::read_file(golden("numpy_compressed.npz"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes damaged = bytes;
    damaged[i] ^= std::byte{0x55};
    try {
      read_npz(damaged, "a.npz");  // bytes that carry no meaning, such as a date, may change
    } catch (const Error&) {
    }
  }
}

TEST(Npz, AWrongChecksumIsRefused) {
  Bytes bytes = mxinfer::read_file(golden("numpy_stored.npz"));
  const std::string pattern("\0\1\2\3\4\5\6\7\x8\x9\xa\xb", 12);  // the elements of 'picture'
  const auto* wanted = reinterpret_cast<const std::byte*>(pattern.data());
  const auto found = std::search(bytes.begin(), bytes.end(), wanted, wanted + pattern.size());
  ASSERT_NE(found, bytes.end());
  found[5] ^= std::byte{1};
  const auto [code, message] = npz_error(bytes);
  EXPECT_EQ(code, ErrorCode::malformed);
  EXPECT_NE(message.find("a.npz \u203a array 'picture' \u203a "), std::string::npos) << message;
}

TEST(Npz, WhatUnpacksToMoreThanTheLimitIsRefused) {
  const Bytes bomb = npz_of({{"zeros.npy", write_npy(Tensor(DType::uint8, {50'000'000}))}});
  EXPECT_LT(bomb.size(), 200'000u);
  EXPECT_EQ(npz_error(bomb, 1'000'000).first, ErrorCode::invalid_argument);
  EXPECT_EQ(read_npz(bomb, "a.npz").at(0).tensor.elements(), 50'000'000);
}

TEST(Npz, TheLimitCountsAllMembersTogether) {
  const Bytes member = write_npy(Tensor(DType::uint8, {1000}));
  const Bytes zip = npz_of({{"a.npy", member}, {"b.npy", member}});
  EXPECT_EQ(npz_error(zip, 2 * member.size() - 1).first, ErrorCode::invalid_argument);
  EXPECT_EQ(read_npz(zip, "a.npz", 2 * member.size()).size(), 2u);
}

TEST(Npz, OnlyNpyMembersOfDifferentNamesMakeAnNpz) {
  const Bytes member = write_npy(Tensor(DType::uint8, {1}));
  EXPECT_EQ(npz_error(npz_of({{"read.me", member}})).first, ErrorCode::malformed);
  EXPECT_EQ(npz_error(npz_of({{"a.npy", member}, {"a.npy", member}})).first, ErrorCode::malformed);
  EXPECT_EQ(npz_error(npz_of({{"a.npy", Bytes(3)}})).first, ErrorCode::malformed);
  EXPECT_EQ(npz_error(Bytes(1000)).first, ErrorCode::malformed);
  EXPECT_EQ(npz_error({}).first, ErrorCode::malformed);
}

TEST(Npz, AnArchiveWithoutMembersIsRefused) {
  EXPECT_EQ(npz_error(npz_of({})).first, ErrorCode::malformed);
}

TEST(Npz, NamesMayHaveSlashesAndOtherLetters) {
  const Bytes member = write_npy(Tensor(DType::uint8, {1}));
  const auto arrays = read_npz(npz_of({{"input/data.npy", member}, {"0.weight.npy", member}}), "a.npz");
  EXPECT_EQ(arrays.at(0).name, "input/data");
  EXPECT_EQ(arrays.at(1).name, "0.weight");
}

TEST(Npz, WritesWhatItReads) {
  const test::TempDir dir;
  const std::string path = dir / "out.npz";
  const std::vector<float> numbers = {1, -2, 3.5f, 4};
  const std::vector<std::int64_t> ids = {7};
  for (int run = 0; run < 2; ++run) {  // the second replaces the first
    save_npz(path, {{"in/scores", TensorView(numbers.data(), {2, 2})}, {"ids", TensorView(ids.data(), {1})}});
  }
  const Bytes bytes = mxinfer::read_file(path);
  const auto arrays = read_npz(bytes, path);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "in/scores");
  EXPECT_EQ(arrays[0].tensor.shape(), (Shape{2, 2}));
  EXPECT_EQ(arrays[0].tensor.data<float>()[2], 3.5f);
  EXPECT_EQ(arrays[1].tensor.data<std::int64_t>()[0], 7);
  // Stored: the numbers stand in the file as they are in memory.
  const auto* raw = reinterpret_cast<const std::byte*>(numbers.data());
  EXPECT_NE(std::search(bytes.begin(), bytes.end(), raw, raw + numbers.size() * sizeof(float)), bytes.end());
}

TEST(Npz, TwoArraysOfOneNameAreNotWritten) {
  const test::TempDir dir;
  const float number = 1;
  const TensorView view(&number, {1});
  try {
    save_npz(dir / "out.npz", {{"a", view}, {"a", view}});
    FAIL() << "it was written";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(e.what()).find("two arrays of the name 'a'"), std::string::npos) << e.what();
  }
  EXPECT_FALSE(std::filesystem::exists(dir / "out.npz"));
}

}  // namespace
}  // namespace mxinfer::formats
