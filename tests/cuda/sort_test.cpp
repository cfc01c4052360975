// topk, sort and argsort on a GPU: tiles of 2048 keys, several rows in a tile, merges of tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "cuda/support.h"
#include "graph/graph.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::kSameBits;

/// Different numbers in no order.
Tensor shuffled(const Shape& shape, unsigned seed) {
  Tensor tensor(DType::float32, shape);
  std::vector<float> values(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (static_cast<float>(i) - static_cast<float>(values.size() / 2)) * 0.37f;
  std::shuffle(values.begin(), values.end(), std::mt19937(seed));
  std::copy(values.begin(), values.end(), tensor.data<float>());
  return tensor;
}

TEST(SortOnCuda, RowsAstrideOfTilesAreSorted) {
  for (std::int64_t length : {1, 2, 31, 32, 33, 1000, 2047, 2048, 2049, 4097, 9000}) {
    SCOPED_TRACE(length);
    const Tensor data = shuffled({2, length}, 1);
    for (const char* ascending : {"0", "1"}) {
      test::expect_as_on_cpu("sort", {{"is_ascend", ascending}}, {&data}, kSameBits);
      test::expect_as_on_cpu("argsort", {{"is_ascend", ascending}, {"dtype", "int32"}}, {&data}, kSameBits);
    }
  }
}

TEST(SortOnCuda, FewKeysOfManyTiles) {
  const Tensor data = shuffled({2, 40000}, 7);
  for (const char* k : {"3", "400", "1024"}) {
    SCOPED_TRACE(k);
    test::expect_as_on_cpu("topk", {{"k", k}, {"ret_typ", "both"}, {"dtype", "int32"}}, {&data}, kSameBits);
  }
}

TEST(SortOnCuda, TheFirstOfARowAreThoseOfTheWholeOrder) {
  for (std::int64_t length : {40, 2048, 5000, 13000}) {
    const Tensor data = shuffled({length}, 2);
    for (std::int64_t k : {std::int64_t{1}, std::int64_t{7}, length / 2, length}) {
      SCOPED_TRACE(testing::Message() << k << " of " << length);
      for (const char* type : {"both", "indices", "value", "mask"}) {
        test::expect_as_on_cpu("topk", {{"k", std::to_string(k)}, {"ret_typ", type}, {"dtype", "int64"}},
                               {&data}, kSameBits);
      }
    }
  }
}

TEST(SortOnCuda, ManyShortRowsShareATile) {
  const Tensor data = shuffled({97, 20}, 3), tiny = shuffled({5000, 1}, 4);
  test::expect_as_on_cpu("topk", {{"k", "3"}, {"ret_typ", "both"}}, {&data}, kSameBits);
  test::expect_as_on_cpu("sort", {}, {&data}, kSameBits);
  test::expect_as_on_cpu("sort", {}, {&tiny}, kSameBits);
}

TEST(SortOnCuda, AnyAxisAndTheFlattenedInput) {
  const Tensor data = shuffled({3, 70, 5}, 5);
  for (const char* axis : {"0", "1", "2", "-2", "None"}) {
    SCOPED_TRACE(axis);
    for (const char* type : {"both", "mask"}) {
      const Attributes attrs{{"axis", axis}, {"k", "2"}, {"ret_typ", type}, {"is_ascend", "1"}};
      test::expect_as_on_cpu("topk", attrs, {&data}, kSameBits);
    }
    test::expect_as_on_cpu("argsort", {{"axis", axis}}, {&data}, kSameBits);
  }
}

TEST(SortOnCuda, NotANumberComesLastAndZerosAreEqual) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Tensor data = test::tensor_of<float>({12}, {0, nan, -inf, 3, -0.0f, inf, -2, nan, 0, 1, -0.0f, 2});
  for (const char* ascending : {"0", "1"}) {
    for (const char* op : {"sort", "argsort"})
      test::expect_as_on_cpu(op, {{"is_ascend", ascending}}, {&data}, kSameBits);
  }
}

// In a row with a NaN the CPU keeps the order of equal elements, too.
TEST(SortOnCuda, LongRowsOfNanAndEqualNumbers) {
  for (const std::int64_t length : {20, 300, 5000}) {
    SCOPED_TRACE(length);
    Tensor data(DType::float32, {2, length}), halves(DType::float16, {2, length});
    std::mt19937 random(static_cast<unsigned>(length));
    for (std::int64_t i = 0; i < 2 * length; ++i) {
      const auto number = static_cast<float>(random() % 7);
      data.data<float>()[i] = number == 3 ? std::numeric_limits<float>::quiet_NaN() : number;
      halves.data<Half>()[i] = Half(data.data<float>()[i]);
    }
    for (const Tensor* each : {&data, &halves}) {
      for (const char* ascending : {"0", "1"}) {
        const Attributes order{{"is_ascend", ascending}, {"dtype", "int32"}};
        test::expect_as_on_cpu("argsort", order, {each}, kSameBits);
        for (const std::int64_t k : {std::int64_t{2}, length / 2, length}) {
          const Attributes first{
              {"k", std::to_string(k)}, {"ret_typ", "both"}, {"is_ascend", ascending}, {"dtype", "int32"}};
          test::expect_as_on_cpu("topk", first, {each}, kSameBits);
        }
      }
    }
  }
}

TEST(SortOnCuda, TypesOfElementsAndOfIndices) {
  const Tensor numbers = shuffled({300}, 6);
  for (DType type : {DType::float16, DType::int32, DType::int8, DType::uint8}) {
    SCOPED_TRACE(to_string(type));
    const std::int64_t length = type == DType::int32 ? 300 : 12;
    Tensor data(type, {length});
    for (std::int64_t i = 0; i < length; ++i) {
      const auto value = static_cast<int>(std::lround(numbers.data<float>()[i]));
      if (type == DType::float16) data.data<Half>()[i] = Half(static_cast<float>(value));
      if (type == DType::int32) data.data<std::int32_t>()[i] = value * 70000 + static_cast<int>(i);
      if (type == DType::int8) data.data<std::int8_t>()[i] = static_cast<std::int8_t>(value);
      if (type == DType::uint8) data.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(value + 128);
    }
    for (const char* ascending : {"0", "1"}) {
      const Attributes attrs{{"k", "9"}, {"ret_typ", "both"}, {"is_ascend", ascending}};
      test::expect_as_on_cpu("topk", attrs, {&data}, kSameBits);
    }
    test::expect_as_on_cpu("topk", {{"k", "9"}, {"ret_typ", "mask"}}, {&data}, kSameBits);
  }
  for (const char* dtype : {"float16", "float32", "float64", "int32", "int64", "uint8"})
    test::expect_as_on_cpu("argsort", {{"dtype", dtype}}, {&numbers}, kSameBits);
}

// The CPU's order of equal elements in long rows is that of the C++ library.
TEST(SortOnCuda, EqualElementsKeepTheirOrder) {
  constexpr std::int64_t kLength = 5000;
  Tensor data(DType::int32, {kLength});
  std::mt19937 random(7);
  for (std::int64_t i = 0; i < kLength; ++i) data.data<std::int32_t>()[i] = static_cast<int>(random() % 20);
  const test::OneOperator graph =
      test::one_operator("argsort", {{"is_ascend", "0"}, {"dtype", "int64"}}, {&data});
  plan::WeightStore weights;
  const auto plan =
      plan::make_plan(graph.graph, {{data.dtype(), data.shape()}}, test::cuda_plan_options(), weights);
  ASSERT_TRUE(test::runs_on_cuda(*plan));
  std::vector<std::int64_t> expected(kLength);
  std::iota(expected.begin(), expected.end(), 0);
  const std::int32_t* values = data.data<std::int32_t>();
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::int64_t a, std::int64_t b) { return values[a] > values[b]; });
  test::for_each_schedule([&] {
    const std::vector<Tensor> outputs = test::run_on(plan, graph.inputs);
    EXPECT_EQ(std::memcmp(outputs[0].raw(), expected.data(), outputs[0].bytes()), 0);
  });
}

}  // namespace
}  // namespace mxinfer
