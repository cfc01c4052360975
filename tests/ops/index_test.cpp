// Operators that choose elements by index: what happens with indices that are not there, and with nothing to
// choose from.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "op_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::expect_op_error;

TEST(Take, RefusesAnIndexOutsideWhenAskedTo) {
  const Tensor data = test::random_tensor({4, 3}, 1);
  const Tensor below = test::tensor_of<float>({2}, {1, -1});
  const Tensor above = test::tensor_of<std::int64_t>({2}, {1, 4});
  expect_op_error("take", {{"mode", "raise"}}, {&data, &below}, ErrorCode::invalid_argument,
                  "index -1 at position 1");
  expect_op_error("take", {{"mode", "raise"}}, {&data, &above}, ErrorCode::invalid_argument,
                  "index 4 at position 1");
}

TEST(Take, RefusesAnEmptyAxisUnlessNothingIsTaken) {
  const Tensor empty(DType::float32, {0, 3});
  const Tensor one = test::tensor_of<float>({1}, {0});
  const Tensor none(DType::float32, {0});
  expect_op_error("take", {}, {&empty, &one}, ErrorCode::invalid_argument, "an axis of 0 elements");
  EXPECT_EQ(test::run_op("take", {}, {&empty, &none})[0].shape(), (Shape{0, 3}));
}

TEST(Take, CountsExtremeIndicesAsOutside) {
  const Tensor data = test::tensor_of<float>({3}, {7, 8, 9});
  const Tensor index = test::tensor_of<std::int64_t>(
      {2}, {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
  const auto clipped = test::run_op("take", {}, {&data, &index});
  EXPECT_EQ(clipped[0].data<float>()[0], 7);
  EXPECT_EQ(clipped[0].data<float>()[1], 9);
  const auto wrapped = test::run_op("take", {{"mode", "wrap"}}, {&data, &index});
  EXPECT_EQ(wrapped[0].data<float>()[0], 8);  // -2^63 = 1 modulo 3
  EXPECT_EQ(wrapped[0].data<float>()[1], 8);  // 2^63 - 1 = 1 modulo 3
}

TEST(Embedding, RefusesAWeightOfAnotherSize) {
  const Tensor data = test::tensor_of<float>({1}, {0});
  const Tensor weight(DType::float32, {4, 3});
  expect_op_error("Embedding", {{"input_dim", "5"}, {"output_dim", "3"}}, {&data, &weight},
                  ErrorCode::invalid_argument,
                  "weight has the shape (4, 3); input_dim and output_dim say (5, 3)");
}

TEST(GatherNd, RefusesAnIndexOutside) {
  const Tensor data = test::random_tensor({4, 3}, 1);
  const Tensor index = test::tensor_of<float>({2, 2}, {0, 1, 2, 3});
  const Tensor many(DType::float32, {3, 1});
  expect_op_error("gather_nd", {}, {&data, &index}, ErrorCode::invalid_argument,
                  "index 3 at position 1 of row 1");
  expect_op_error("gather_nd", {}, {&data, &many}, ErrorCode::invalid_argument, "must be 1 to 2");
}

TEST(Pick, RefusesIndicesOfAnotherShape) {
  const Tensor data = test::random_tensor({4, 3}, 1);
  const Tensor index(DType::float32, {3});
  expect_op_error("pick", {}, {&data, &index}, ErrorCode::invalid_argument, "expected (4,) or (4, 1)");
  expect_op_error("pick", {{"axis", "None"}}, {&data, &index}, ErrorCode::unsupported, "axis=None");
}

TEST(Sequence, LengthsOutsideAreCut) {
  const Tensor data = test::tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor lengths = test::tensor_of<std::int64_t>({3}, {-5, 0, 99});
  const Attributes attrs{{"use_sequence_length", "True"}};
  const auto masked = test::run_op("SequenceMask", attrs, {&data, &lengths});
  EXPECT_EQ(test::relative_difference(masked[0], test::tensor_of<float>({2, 3}, {0, 0, 3, 0, 0, 6})), 0);
  const auto last = test::run_op("SequenceLast", attrs, {&data, &lengths});
  EXPECT_EQ(test::relative_difference(last[0], test::tensor_of<float>({3}, {1, 2, 6})), 0);
  const auto reversed = test::run_op("SequenceReverse", attrs, {&data, &lengths});
  EXPECT_EQ(test::relative_difference(reversed[0], test::tensor_of<float>({2, 3}, {1, 2, 6, 4, 5, 3})), 0);
  const Tensor two(DType::float32, {2});
  expect_op_error("SequenceMask", attrs, {&data, &two}, ErrorCode::invalid_argument, "needs (3,)");
}

TEST(Sort, PutsNanLastInEitherDirection) {
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(i % 3 == 0 ? std::nanf("") : static_cast<float>(i * 7 % 50));
  const Tensor data = Tensor::copy_of(TensorView(values.data(), Shape{100}));
  for (const char* ascending : {"True", "False"}) {
    const auto sorted = test::run_op("sort", {{"is_ascend", ascending}}, {&data});
    const float* out = sorted[0].data<float>();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(std::isnan(out[i]), i >= 66) << i;
    for (int i = 1; i < 66; ++i)
      EXPECT_TRUE(ascending[0] == 'T' ? out[i - 1] <= out[i] : out[i - 1] >= out[i]);
  }
}

// In a row with a NaN equal elements keep their order, NaNs among them, however many are asked for.
TEST(Sort, ARowWithNanHasOneOrder) {
  constexpr std::int64_t kLength = 500;
  for (const int pattern : {0, 1, 2}) {
    Tensor data(DType::float32, {3, kLength});
    for (std::int64_t i = 0; i < 3 * kLength; ++i) {
      const std::int64_t number = (i * 7919 + pattern) % 5;
      const bool is_nan = pattern == 0 ? number == 2 : pattern == 1 ? i % kLength == 250 : number != 2;
      data.data<float>()[i] = is_nan ? std::nanf("") : static_cast<float>(number);
    }
    for (const bool ascending : {true, false}) {
      for (const std::int64_t k : {std::int64_t{1}, std::int64_t{9}, kLength / 2, kLength}) {
        const Attributes attrs{
            {"k", std::to_string(k)}, {"is_ascend", ascending ? "True" : "False"}, {"dtype", "int32"}};
        for (const kernels::Target target : test::targets()) {
          for (const int threads : {1, 3}) {
            test::RunOpOptions options;
            options.target = target;
            options.threads = threads;
            const auto found = test::run_op("topk", attrs, {&data}, options);
            for (std::int64_t row = 0; row < 3; ++row) {
              const float* values = data.data<float>() + row * kLength;
              std::vector<std::int32_t> expected(kLength);
              std::iota(expected.begin(), expected.end(), 0);
              std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t a, std::int32_t b) {
                if (std::isnan(values[a]) || std::isnan(values[b]))
                  return !std::isnan(values[a]) && std::isnan(values[b]);
                return ascending ? values[a] < values[b] : values[a] > values[b];
              });
              const std::int32_t* actual = found[0].data<std::int32_t>() + row * k;
              EXPECT_TRUE(std::equal(actual, actual + k, expected.begin())) << k << " of pattern " << pattern;
            }
          }
        }
      }
    }
  }
}

TEST(TopK, RefusesMoreThanThereAre) {
  const Tensor data = test::random_tensor({2, 3}, 1);
  expect_op_error("topk", {{"k", "4"}}, {&data}, ErrorCode::invalid_argument,
                  "k=4 is more than the 3 elements");
}

TEST(TopK, AnEmptyInputHasNoFirst) {
  const Tensor none(DType::float32, {0, 3});
  EXPECT_EQ(test::run_op("topk", {{"k", "2"}}, {&none})[0].shape(), (Shape{0, 2}));
  const Tensor empty(DType::float32, {2, 0});
  EXPECT_EQ(test::run_op("sort", {}, {&empty})[0].shape(), (Shape{2, 0}));
}

}  // namespace
}  // namespace mxinfer
