// Softmax on a GPU.
#include <gtest/gtest.h>

#include "cuda/support.h"
#include "support/special_floats.h"

namespace mxinfer {
namespace {

using test::expect_as_on_cpu;
using test::kInfinity;
using test::kNaN;
using test::random_tensor;

// Lines of one thread, of a warp and of a block.
TEST(SoftmaxOnCuda, LinesOfAnyLength) {
  for (const std::int64_t length : {1, 2, 7, 8, 31, 32, 33, 255, 1024, 1025, 3001}) {
    for (const std::int64_t inner : {1, 3, 33}) {
      const Tensor data = random_tensor({3, length, inner}, 1, -5, 5);
      for (const char* op : {"softmax", "log_softmax", "softmin"})
        expect_as_on_cpu(op, {{"axis", "1"}, {"temperature", "1.5"}}, {&data});
    }
  }
}

// Whole vectors: lines of a part of a warp, of a warp and of a block, and of fewer vectors than threads have.
TEST(SoftmaxOnCuda, LinesOfWholeVectors) {
  for (const std::int64_t length : {32, 36, 64, 68, 128, 132, 256, 384, 512, 700, 1024, 1028}) {
    for (const std::int64_t lines : {1, 5, 70}) {
      const Tensor data = random_tensor({lines, length}, 1, -5, 5);
      for (const char* op : {"softmax", "log_softmax", "softmin"})
        expect_as_on_cpu(op, {{"temperature", "1.5"}}, {&data});
    }
    const Tensor data = random_tensor({3, 2, length}, 1, -5, 5);
    const auto half = static_cast<std::int32_t>(length / 2), all = static_cast<std::int32_t>(length);
    const auto lengths = test::tensor_of<std::int32_t>({3, 2}, {0, 1, 3, half, half + 1, all});
    for (const char* op : {"softmax", "log_softmax"})
      expect_as_on_cpu(op, {{"axis", "2"}, {"use_length", "True"}}, {&data, &lengths});
  }
}

// More lines than a grid has warps for.
TEST(SoftmaxOnCuda, ManyLines) {
  const Tensor data = random_tensor({8192 * 8 + 3, 9}, 1, -5, 5);
  expect_as_on_cpu("softmax", {}, {&data});
}

TEST(SoftmaxOnCuda, LargeNumbersAndNaNs) {
  Tensor data = random_tensor({6, 40}, 1, -5, 5);
  float* x = data.data<float>();
  for (int j = 0; j < 40; ++j) {
    x[j] = 1e30f;
    x[40 + j] = -kInfinity;
  }
  x[80] = kNaN;
  x[120] = kInfinity;
  x[160] = -kInfinity;
  for (const char* op : {"softmax", "log_softmax"}) expect_as_on_cpu(op, {}, {&data});
}

TEST(SoftmaxOnCuda, Lengths) {
  const Tensor data = random_tensor({2, 4, 37}, 1, -5, 5);
  const auto lengths = test::tensor_of<std::int32_t>({2, 4}, {1, 37, 0, 5, 36, 2, 32, 33});
  const auto bytes = test::tensor_of<std::int8_t>({2, 4}, {1, 37, 0, 5, 36, -2, 100, 33});
  const auto wide = test::tensor_of<std::int64_t>({2, 4}, {1, 37, 0, 5, 36, 2, 32, 33});
  for (const Tensor* length : {&lengths, &bytes, &wide}) {
    expect_as_on_cpu("softmax", {{"axis", "2"}, {"use_length", "True"}}, {&data, length});
    expect_as_on_cpu("log_softmax", {{"axis", "2"}, {"use_length", "True"}}, {&data, length});
  }
}

TEST(SoftmaxOnCuda, OlderOperators) {
  const Tensor data = random_tensor({2, 5, 3, 4}, 1, -5, 5);
  for (const char* mode : {"channel", "instance"})
    expect_as_on_cpu("SoftmaxActivation", {{"mode", mode}}, {&data});
  expect_as_on_cpu("SoftmaxOutput", {}, {&data});
  expect_as_on_cpu("SoftmaxOutput", {{"multi_output", "True"}}, {&data});
  expect_as_on_cpu("SoftmaxOutput", {{"preserve_shape", "True"}}, {&data});
}

}  // namespace
}  // namespace mxinfer
