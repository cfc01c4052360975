// Reductions, moments and positions on a GPU.
#include <gtest/gtest.h>

#include "cuda/support.h"
#include "support/special_floats.h"

namespace mxinfer {
namespace {

using test::expect_as_on_cpu;
using test::random_tensor;

using test::kInfinity;
using test::kNaN;

constexpr const char* kFunctions[] = {"sum", "mean", "nansum",  "max",
                                      "min", "prod", "nanprod", "_square_sum"};

TEST(ReduceOnCuda, AnyAxes) {
  const Tensor data = random_tensor({3, 5, 4, 7}, 1, 0.8f, 1.2f);
  for (const char* op : kFunctions) {
    for (const char* axes : {"()", "0", "1", "3", "(0, 2)", "(1, 3)", "(2, 3)", "(0, 1, 2)", "(0, 1, 2, 3)"})
      expect_as_on_cpu(op, {{"axis", axes}}, {&data});
  }
  expect_as_on_cpu("sum", {{"axis", "1"}, {"exclude", "True"}, {"keepdims", "True"}}, {&data});
  for (const char* order : {"1", "2"}) expect_as_on_cpu("norm", {{"ord", order}, {"axis", "2"}}, {&data});
  expect_as_on_cpu("_np_max", {{"axis", "(1,)"}}, {&data});
}

// Rows, and columns side by side, astride of what threads share, and long enough for parts.
TEST(ReduceOnCuda, AnyLength) {
  for (const std::int64_t length : {1, 3, 4, 7, 31, 33, 63, 64, 65, 257, 2047, 2049, 8192, 20000}) {
    for (const std::int64_t others : {1, 5, 33}) {
      const Tensor rows = random_tensor({others, length}, 1), columns = random_tensor({length, others}, 2);
      for (const char* op : {"sum", "max"}) {
        expect_as_on_cpu(op, {{"axis", "1"}}, {&rows});
        expect_as_on_cpu(op, {{"axis", "0"}}, {&columns});
      }
    }
  }
}

// More results than a grid has blocks for.
TEST(ReduceOnCuda, ManyResults) {
  const Tensor data = random_tensor({8192 * 8 + 9, 64}, 1);
  expect_as_on_cpu("min", {{"axis", "1"}}, {&data}, {.tolerance = 0});
}

TEST(ReduceOnCuda, LongSumsLoseNoDigits) {
  const Tensor data = random_tensor({1 << 20}, 1, 1000.0f, 1001.0f);
  for (const char* op : {"sum", "mean", "norm", "_square_sum"})
    expect_as_on_cpu(op, {}, {&data}, {.tolerance = 3e-7});
}

TEST(ReduceOnCuda, RangesOfFloat32) {
  const Tensor large = random_tensor({2, 100}, 1, 1e20f, 2e20f),
               small = random_tensor({2, 100}, 2, 1e-30f, 2e-30f);
  for (const Tensor* data : {&large, &small}) expect_as_on_cpu("norm", {{"axis", "1"}}, {data});
}

TEST(ReduceOnCuda, NaNsAndInfinities) {
  const Tensor data = test::tensor_of<float>(
      {4, 4}, {1, kNaN, 3, 2, 5, kInfinity, 1, -kInfinity, kNaN, kNaN, kNaN, kNaN, 1, 2, 3, -kInfinity});
  for (const char* op : kFunctions) {
    for (const char* axis : {"0", "1"}) expect_as_on_cpu(op, {{"axis", axis}}, {&data});
  }
}

TEST(ReduceOnCuda, Integers) {
  Tensor whole(DType::int32, {3, 300}), wide(DType::int64, {3, 300});
  for (int i = 0; i < 900; ++i) {
    whole.data<std::int32_t>()[i] = i * 7919 % 31 - 15;
    wide.data<std::int64_t>()[i] = (std::int64_t{1} << 55) + i * 7919 % 31;
  }
  for (const char* op : {"sum", "mean", "max", "min", "prod", "nansum"}) {
    if (std::string(op) == "nansum") continue;
    for (const char* axis : {"0", "1"}) {
      expect_as_on_cpu(op, {{"axis", axis}}, {&whole});
      expect_as_on_cpu(op, {{"axis", axis}}, {&wide});
    }
  }
}

TEST(ReduceOnCuda, Moments) {
  for (const std::int64_t length : {1, 3, 64, 100, 3000}) {
    const Tensor data = random_tensor({3, length, 5}, 1, 9.0f, 11.0f);
    for (const char* axes : {"(1,)", "(0, 1)", "(1, 2)", "(0, 2)", "(0, 1, 2)"})
      expect_as_on_cpu("moments", {{"axes", axes}}, {&data});
  }
}

TEST(ReduceOnCuda, Positions) {
  for (const std::int64_t length : {1, 8, 33, 1024, 3000}) {
    for (const std::int64_t inner : {1, 3, 40}) {
      Tensor data = random_tensor({3, length, inner}, 1);
      // Equal elements: the first counts.
      for (std::int64_t i = 0; i < data.elements(); ++i)
        data.data<float>()[i] = static_cast<float>(static_cast<int>(data.data<float>()[i] * 4));
      for (const char* op : {"argmax", "argmin"}) {
        expect_as_on_cpu(op, {{"axis", "1"}}, {&data}, {.tolerance = 0});
        expect_as_on_cpu(op, {}, {&data}, {.tolerance = 0});
        expect_as_on_cpu(op, {{"axis", "2"}, {"keepdims", "True"}}, {&data}, {.tolerance = 0});
      }
      expect_as_on_cpu("argmax_channel", {}, {&data}, {.tolerance = 0});
    }
  }
  const Tensor data = test::tensor_of<float>(
      {2, 10},
      {1, 5, kNaN, 7, kNaN, 9, 0, 0, 0, 0, kInfinity, 1, 2, -kInfinity, kInfinity, -kInfinity, 3, 4, 5, 6});
  for (const char* op : {"argmax", "argmin"})
    expect_as_on_cpu(op, {{"axis", "1"}}, {&data}, {.tolerance = 0});
}

}  // namespace
}  // namespace mxinfer
