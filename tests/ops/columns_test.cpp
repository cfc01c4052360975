// The operators that columns of a table have to themselves: _mxinfer_lookup and _mxinfer_fill_nan.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "ops/tensor/indexing/lookup_values.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;

Tensor texts(const std::vector<std::string>& rows, std::size_t width) {
  Tensor tensor(DType::uint8, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width)});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(tensor.data<std::uint8_t>() + i * width, rows[i].data(), rows[i].size());
  return tensor;
}

std::vector<std::int32_t> look_up(const std::string& values, const Tensor& rows,
                                  const std::string& default_id = "-7") {
  const Tensor out =
      std::move(run_op("_mxinfer_lookup", {{"values", values}, {"default", default_id}}, {&rows})[0]);
  EXPECT_EQ(out.dtype(), DType::int32);
  const auto span = out.span<std::int32_t>();
  return {span.begin(), span.end()};
}

using Ids = std::vector<std::int32_t>;

TEST(Lookup, GivesPositions) {
  EXPECT_EQ(look_up(R"(["a", "bcd", ""])", texts({"bcd", "", "a", "A", "bc", "bcde"}, 4)),
            (Ids{1, 2, 0, -7, -7, -7}));
}

TEST(Lookup, ATextEndsAtItsLastByteThatIsNotZero) {
  // With and without a zero behind it, and around the eight bytes that are compared at a time.
  for (std::size_t width : {8, 9, 15, 16, 17, 64})
    EXPECT_EQ(look_up(R"(["12345678", "1234567"])", texts({"12345678", "1234567", "123456"}, width)),
              (Ids{0, 1, -7}))
        << width;
  EXPECT_EQ(look_up(R"(["a"])", texts({std::string("a\0b", 3), std::string("\0a", 2)}, 4)), (Ids{-7, -7}));
}

TEST(Lookup, TakesUtf8) {
  EXPECT_EQ(look_up(R"(["größe", "日本"])", texts({"日本", "größe", "gröss"}, 7)), (Ids{1, 0, -7}));
  EXPECT_EQ(look_up("[\"gr\\u00f6\\u00dfe\"]", texts({"größe"}, 16)), (Ids{0}));
}

TEST(Lookup, TakesTextsLongerThanAnyValueAndOfNoLength) {
  EXPECT_EQ(look_up(R"(["a", ""])", texts({std::string(100, 'a')}, 100)), (Ids{-7}));
  EXPECT_EQ(look_up(R"(["a", ""])", Tensor(DType::uint8, {3, 0})), (Ids{1, 1, 1}));
}

TEST(Lookup, FindsEachOfManyValues) {
  std::vector<std::string> values, rows;
  for (int i = 0; i < 5000; ++i) values.push_back("value " + std::to_string(i * i));
  for (int i = 0; i < 20000; ++i) rows.push_back("value " + std::to_string(i));
  for (int threads : {1, 2}) {
    const Tensor data = texts(rows, 16);
    test::RunOpOptions options;
    options.threads = threads;
    const Tensor out = std::move(
        run_op("_mxinfer_lookup",
               {{"values", ops::lookup_values_text(values)}, {"default", "-1"}, {"dtype", "float32"}},
               {&data}, options)[0]);
    for (int i = 0; i < 20000; ++i) {
      const int root = static_cast<int>(std::lround(std::sqrt(static_cast<double>(i))));
      ASSERT_EQ(out.data<float>()[i], root * root == i ? static_cast<float>(root) : -1.0f) << i;
    }
  }
}

TEST(Lookup, WithoutADefaultARowThatIsNotThereIsAnError) {
  const Tensor rows = texts({"a", "x"}, 3);
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lookup", {{"values", R"(["a"])"}}, {&rows}),
                       ErrorCode::invalid_argument, {"row 1", "'x'", "1 values"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lookup", {{"values", R"(["a"])"}, {"dtype", "float32"}}, {&rows}),
                       ErrorCode::invalid_argument, {"row 1"});
}

TEST(Lookup, RefusesWhatIsNoListOfTexts) {
  const Tensor rows = texts({"a"}, 3);
  const auto with = [&](const std::string& values) {
    return run_op("_mxinfer_lookup", {{"values", values}}, {&rows});
  };
  EXPECT_MXINFER_ERROR(with("(a, b)"), ErrorCode::malformed, {"(a, b)", "list of texts"});
  EXPECT_MXINFER_ERROR(with("[]"), ErrorCode::malformed, {"0 values"});
  EXPECT_MXINFER_ERROR(with(R"(["a", 3])"), ErrorCode::malformed, {"values[1]", "number"});
  EXPECT_MXINFER_ERROR(with(R"(["a", "a"])"), ErrorCode::malformed, {"'a'", "twice"});
  EXPECT_MXINFER_ERROR(with("[\"a\\u0000\"]"), ErrorCode::malformed, {"zero byte"});
  const Tensor numbers(DType::float32, {2, 3}), flat(DType::uint8, {3});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lookup", {{"values", R"(["a"])"}}, {&numbers}),
                       ErrorCode::invalid_argument, {"float32", "uint8 (N, bytes)"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lookup", {{"values", R"(["a"])"}}, {&flat}),
                       ErrorCode::invalid_argument, {"(3,)", "uint8 (N, bytes)"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_lookup", {{"values", R"(["a"])"}, {"dtype", "int8"}}, {&rows}),
                       ErrorCode::unsupported, {"int8", "int32"});
}

TEST(FillNan, ReplacesNanAlone) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (kernels::Target target : test::targets()) {
    Tensor data(DType::float32, {37});
    for (int i = 0; i < 37; ++i)
      data.data<float>()[i] = i % 3 == 0 ? nan : i == 1 ? inf : static_cast<float>(i);
    test::RunOpOptions options;
    options.target = target;
    const Tensor out = std::move(run_op("_mxinfer_fill_nan", {{"value", "2.5"}}, {&data}, options)[0]);
    for (int i = 0; i < 37; ++i)
      EXPECT_EQ(out.data<float>()[i], i % 3 == 0 ? 2.5f : i == 1 ? inf : static_cast<float>(i)) << i;
  }
  const Tensor doubles = test::tensor_of<double>({2}, {nan, 1});
  EXPECT_EQ(run_op("_mxinfer_fill_nan", {{"value", "-3"}}, {&doubles})[0].data<double>()[0], -3);
  const Tensor integers(DType::int32, {2});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_fill_nan", {{"value", "0"}}, {&integers}), ErrorCode::unsupported,
                       {"int32"});
}

}  // namespace
}  // namespace mxinfer
