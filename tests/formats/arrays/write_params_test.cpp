#include "formats/arrays/write_params.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "formats/arrays/params.h"
#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"

namespace mxinfer::formats {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const test::TempDir& dir) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()));
}

TEST(WriteParams, TheBytesOfMxnet) {
  const float w[] = {0, 1, 2, 3, 4, 5};
  const std::uint8_t flags[] = {7, 8};
  const auto bytes =
      write_params({{"arg:w", TensorView(w, {2, 3})}, {"aux:flags", TensorView(flags, {1, 2})}});
  EXPECT_EQ(bytes,
            test::ParamsWriter()
                .add("arg:w", test::dense_v2(DType::float32, {2, 3}, test::floats({0, 1, 2, 3, 4, 5})))
                .add("aux:flags", test::dense_v2(DType::uint8, {1, 2}, test::elements<std::uint8_t>({7, 8})))
                .finish());
  EXPECT_EQ(write_params({}), test::ParamsWriter().finish());
}

TEST(WriteParams, WhatIsWrittenIsRead) {
  const test::TempDir dir;
  std::vector<Tensor> tensors;
  std::vector<ArrayToWrite> arrays;
  for (int flag = 0; flag <= static_cast<int>(DType::bfloat16); ++flag) {
    tensors.emplace_back(static_cast<DType>(flag), Shape{2, 1, flag + 1});
    std::memset(tensors.back().raw(), 1, tensors.back().bytes());
  }
  tensors.emplace_back();  // "none"
  for (const Tensor& tensor : tensors) arrays.push_back({"arg:" + std::to_string(arrays.size()), tensor});
  write_params(dir / "a.params", arrays);
  EXPECT_EQ(files_in(dir), 1u);
  const auto read = read_params(*sources::open_file(dir / "a.params"));
  ASSERT_EQ(read.size(), arrays.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, arrays[i].name);
    EXPECT_EQ(read[i].tensor.shape(), tensors[i].shape());
    if (tensors[i].elements() == 0) continue;
    EXPECT_EQ(read[i].tensor.dtype(), tensors[i].dtype());
    EXPECT_EQ(std::memcmp(read[i].tensor.raw(), tensors[i].raw(), tensors[i].bytes()), 0);
  }
}

TEST(WriteParams, RefusesWhatTheFormatCannotHold) {
  const float one[] = {1};
  EXPECT_MXINFER_ERROR(write_params({{"arg:s", TensorView(one, {})}}), ErrorCode::invalid_argument,
                       {"'arg:s'", "()", "(1,)"});
  EXPECT_MXINFER_ERROR(write_params({{"arg:s", TensorView(one, {2, 0})}}), ErrorCode::invalid_argument,
                       {"(2, 0)"});
  EXPECT_MXINFER_ERROR(write_params({{"arg:s", TensorView(one, {1})}, {"arg:s", TensorView(one, {1})}}),
                       ErrorCode::invalid_argument, {"two arrays are named 'arg:s'"});
}

TEST(WriteParams, LeavesTheOldFileWhereItCannotBeWritten) {
  const test::TempDir dir;
  const std::string path = dir.write("a.params", "old");
  const Tensor large(DType::float32, {1 << 20});
  // As a full disk: the file may not grow that far.
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1 << 16, limit.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_MXINFER_ERROR(write_params(path, {{"arg:w", large}}), ErrorCode::invalid_argument,
                       {path, "could not be written", "is unchanged"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(files_in(dir), 1u);
}

TEST(WriteParams, NamesWhatIsNoPlaceForAFile) {
  const test::TempDir dir;
  EXPECT_MXINFER_ERROR(write_params(dir / "missing/a.params", std::vector<ArrayToWrite>()),
                       ErrorCode::invalid_argument,
                       {"missing/a.params", "cannot be created", "No such file"});
  EXPECT_MXINFER_ERROR(write_params(dir.path(), std::vector<ArrayToWrite>()), ErrorCode::invalid_argument,
                       {"a folder"});
  EXPECT_MXINFER_ERROR(write_params("/dev/null", std::vector<ArrayToWrite>()), ErrorCode::invalid_argument,
                       {"not a regular file"});
}

TEST(WriteParams, KeepsLinksAndPermissions) {
  const test::TempDir dir;
  const std::string path = dir.write("real.params", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.params", dir / "link.params");
  write_params(dir / "link.params", std::vector<ArrayToWrite>());
  EXPECT_TRUE(fs::is_symlink(dir / "link.params"));
  EXPECT_GT(fs::file_size(path), 3u);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace mxinfer::formats
