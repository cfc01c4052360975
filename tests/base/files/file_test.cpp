#include "base/files/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <thread>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ReadFile, GivesEveryByte) {
  const test::TempDir dir;
  EXPECT_EQ(text_of(mxinfer::read_file(dir.write("empty"))), "");
  std::string text(3'000'000, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 1000);
  EXPECT_EQ(text_of(mxinfer::read_file(dir.write("large", text))), text);
  // The system says that it has none.
  EXPECT_FALSE(mxinfer::read_file("/proc/self/status").empty());
}

TEST(ReadFile, RefusesWhatIsNoFileAtOnce) {
  const test::TempDir dir;
  EXPECT_MXINFER_ERROR(mxinfer::read_file(dir / "absent"), ErrorCode::not_found,
                       {dir / "absent", "No such file"});
  EXPECT_MXINFER_ERROR(mxinfer::read_file(dir.path()), ErrorCode::not_found, {dir.path(), "is a folder"});
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  for (const std::string& path : {dir / "pipe", std::string("/dev/zero"), std::string("/dev/null")})
    EXPECT_MXINFER_ERROR(mxinfer::read_file(path), ErrorCode::not_found, {path, "not a regular file"});
  EXPECT_MXINFER_ERROR(mxinfer::read_file(dir / "pipe", "the image"), ErrorCode::not_found,
                       {"the image is not a regular file"});
}

}  // namespace
}  // namespace mxinfer
