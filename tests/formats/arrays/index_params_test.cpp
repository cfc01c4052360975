#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <numeric>
#include <string_view>

#include "base/files/file.h"
#include "formats/arrays/params.h"
#include "sources/source.h"
#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"

namespace mxinfer::formats {
namespace {

using namespace mxinfer::test;

constexpr std::int64_t kLarge = 20'000, kSmall = 10;

std::vector<float> counting(std::int64_t count, float first) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<std::byte> file_of(float first) {
  return ParamsWriter()
      .add("arg:large", dense_v2(DType::float32, {kLarge}, floats(counting(kLarge, first))))
      .add("arg:small", dense_v2(DType::float32, {kSmall}, floats(counting(kSmall, first))))
      .add("aux:last", dense_v2(DType::float32, {2, kLarge}, floats(counting(2 * kLarge, -first))))
      .finish();
}

class IndexParams : public ::testing::Test {
 protected:
  void write(std::string_view name, float first) { write_file(dir_ / name, file_of(first)); }
  std::vector<NamedParameter> index(std::string_view name) {
    return index_params(sources::open_file(dir_ / name));
  }

  TempDir dir_;
};

TEST_F(IndexParams, LargeArraysStayInTheFileUntilTheyAreAskedFor) {
  write("a.params", 3);
  const auto found = index("a.params");
  const auto all = read_params(*sources::open_file(dir_ / "a.params"));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[0].value->in_memory());
  EXPECT_TRUE(found[1].value->in_memory());
  EXPECT_FALSE(found[2].value->in_memory());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].name, all[i].name);
    EXPECT_EQ(found[i].value->shape(), all[i].tensor.shape());
    EXPECT_EQ(std::memcmp(found[i].value->value()->raw(), all[i].tensor.raw(), all[i].tensor.bytes()), 0);
  }
}

TEST_F(IndexParams, AFileThatIsReplacedOrDeletedIsStillThere) {
  write("a.params", 3);
  write("b.params", 50);
  const auto found = index("a.params");
  std::filesystem::rename(dir_ / "b.params", dir_ / "a.params");
  EXPECT_EQ(found[0].value->value()->data<float>()[1], 4);
  std::filesystem::remove(dir_ / "a.params");
  EXPECT_EQ(found[2].value->value()->data<float>()[1], -2);
}

TEST_F(IndexParams, AFileThatIsWrittenToIsAnError) {
  write("a.params", 3);
  const auto found = index("a.params");
  const auto later = std::filesystem::last_write_time(dir_ / "a.params") + std::chrono::seconds(1);
  write("a.params", 4);
  std::filesystem::last_write_time(dir_ / "a.params", later);
  EXPECT_MXINFER_ERROR(found[0].value->value(), ErrorCode::malformed,
                       {"a.params", "modified after", "load the model again", "read_weights_at_once"});
  write_file(dir_ / "a.params", std::vector<std::byte>(100));
  EXPECT_MXINFER_ERROR(found[0].value->value(), ErrorCode::malformed, {"a.params", "ended at byte"});
  EXPECT_EQ(found[1].value->value()->data<float>()[1], 4) << "what was read is there";
}

TEST_F(IndexParams, AFileThatEndsTooSoonIsFoundWhileItIsIndexed) {
  const auto whole = file_of(1);
  const std::vector<std::byte> part(whole.begin(), whole.end() - kLarge * 8);
  write_file(dir_ / "a.params", part);
  EXPECT_MXINFER_ERROR(index("a.params"), ErrorCode::malformed, {"a.params", "array 2 of 3", "are left"});
}

}  // namespace
}  // namespace mxinfer::formats
