// The file of a tuning: what is written is read again, and what is damaged is an Error that says where.
#include "formats/json/tuning_json.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer::formats {
namespace {

Tuning example() {
  Tuning tuning;
  tuning.cpu = "Some CPU \"of 2021\"";
  tuning.target = "avx2";
  tuning.cores = 2;
  tuning.threads = 1;
  tuning.choices = {{"1 x 64 x 56 x 56, 64 filters 3 x 3",
                     "conv_nhwc_winograd4_f32",
                     {{"conv_nhwc_direct_f32", 3.25}, {"conv_nhwc_winograd4_f32", 1.5}}},
                    {"1 x 3 x 9 x 9, 64 filters 7 x 7", "conv_nhwc_direct_f32", {}}};
  return tuning;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TuningJson, IsReadAsItWasWritten) {
  const test::TempDir dir;
  save_tuning(example(), dir / "net.tuning");
  const Tuning read = load_tuning(dir / "net.tuning");
  EXPECT_EQ(read.cpu, example().cpu);
  EXPECT_EQ(read.target, "avx2");
  EXPECT_EQ(read.cores, 2);
  EXPECT_EQ(read.threads, 1);
  ASSERT_EQ(read.choices.size(), 2u);
  EXPECT_EQ(read.choices[0].shape, example().choices[0].shape);
  EXPECT_EQ(read.choices[0].kernel, "conv_nhwc_winograd4_f32");
  ASSERT_EQ(read.choices[0].times.size(), 2u);
  EXPECT_EQ(read.choices[0].times[0].ms, 3.25);
  EXPECT_EQ(write_tuning(read), write_tuning(example()));
}

TEST(TuningJson, DamageIsAnErrorThatSaysWhatIsKnown) {
  const std::string good = write_tuning(example());
  const auto expect = [&](const std::string& from, const std::string& to, ErrorCode code,
                          const std::vector<std::string>& facts) {
    EXPECT_MXINFER_ERROR(read_tuning(replaced(good, from, to)), code, facts);
  };
  expect("mxinfer tuning", "mxinfer bundle", ErrorCode::malformed, {"\"format\"", "mxinfer bundle"});
  expect("\"version\": 1", "\"version\": 2", ErrorCode::unsupported, {"2", "expected version 1"});
  expect("\"kernel\": \"conv_nhwc_winograd4_f32\"", "\"kernel\": 4", ErrorCode::malformed,
         {"choice 0", "\"kernel\"", "4"});
  expect("3.25", "-1", ErrorCode::malformed, {"choice 0", "conv_nhwc_direct_f32", "-1", "positive"});
  expect("3.25", "\"fast\"", ErrorCode::malformed, {"choice 0", "positive"});
  expect("\"cores\": 2", "\"cores\": 0", ErrorCode::malformed, {"cores"});
  expect("\"cpu\"", "\"gpu\"", ErrorCode::malformed, {"cpu"});
  expect("1 x 3 x 9 x 9, 64 filters 7 x 7", "1 x 64 x 56 x 56, 64 filters 3 x 3", ErrorCode::malformed,
         {"twice"});
  for (const char* text : {"", "[]", "3", "{}", "null", "not json", "{\"format\": 1}"})
    EXPECT_THROW(read_tuning(text), Error) << text;
}

TEST(TuningJson, EveryPrefixIsAnError) {
  const std::string good = write_tuning(example());
  for (std::size_t size = 0; size + 2 < good.size(); ++size)
    EXPECT_THROW(read_tuning(std::string_view(good).substr(0, size)), Error) << size;
}

TEST(TuningJson, ChangedBytesCauseNothingButErrors) {
  const std::string good = write_tuning(example());
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string changed = good;
      changed[at] = byte;
      try {
        (void)read_tuning(changed);
      } catch (const Error&) {
      }
    }
  }
}

TEST(TuningJson, AFileThatIsNotThereIsNamed) {
  const test::TempDir dir;
  EXPECT_MXINFER_ERROR(load_tuning(dir / "none.tuning"), ErrorCode::not_found, {"none.tuning"});
  EXPECT_MXINFER_ERROR(load_tuning(dir.write("odd.tuning", "{")), ErrorCode::malformed,
                       {"tuning file", "odd.tuning"});
}

}  // namespace
}  // namespace mxinfer::formats
