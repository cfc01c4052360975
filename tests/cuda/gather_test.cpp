// Elements by index on a GPU; sequences, padding, running sums, and what only the shapes tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/support.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

using test::kSameBits;

template <typename T>
Tensor indices_of(const Shape& shape, std::int64_t low, std::int64_t high) {
  Tensor tensor(DTypeOf<T>::value, shape);
  std::uint32_t state = 11;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    tensor.data<T>()[i] = static_cast<T>(low + static_cast<std::int64_t>(state >> 8) % (high - low));
  }
  return tensor;
}

// Of each type that a GPU reads.
std::vector<Tensor> all_indices(const Shape& shape, std::int64_t low, std::int64_t high) {
  std::vector<Tensor> all;
  all.push_back(indices_of<float>(shape, low, high));
  all.push_back(indices_of<std::int32_t>(shape, low, high));
  all.push_back(indices_of<std::int64_t>(shape, low, high));
  return all;
}

Tensor bytes_of_numbers(const Shape& shape) {
  return indices_of<std::uint8_t>(shape, 0, 256);
}

TEST(GatherOnCuda, Take) {
  for (const Tensor& indices : all_indices({3, 5}, -9, 14)) {
    for (const char* mode : {"clip", "wrap"}) {
      for (const Shape& shape : {Shape{6, 1}, Shape{6, 3}, Shape{6, 4}, Shape{6, 70, 3}}) {
        const Tensor data = test::random_tensor(shape, 3);
        test::expect_as_on_cpu("take", {{"mode", mode}}, {&data, &indices}, kSameBits);
      }
      const Tensor data = test::random_tensor({2, 6, 5}, 3);
      test::expect_as_on_cpu("take", {{"mode", mode}, {"axis", "1"}}, {&data, &indices}, kSameBits);
      test::expect_as_on_cpu("take", {{"mode", mode}, {"axis", "-1"}}, {&data, &indices}, kSameBits);
    }
  }
  const Tensor bytes = bytes_of_numbers({7, 3}), indices = indices_of<std::int32_t>({300}, 0, 7);
  test::expect_as_on_cpu("take", {}, {&bytes, &indices}, kSameBits);
}

// A plain cast of these gives another integer on a GPU than on a CPU.
TEST(GatherOnCuda, FloatsThatAreNoIndices) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor indices =
      test::tensor_of<float>({12}, {nan, inf, -inf, 3e9f, -3e9f, 1e19f, -1e19f, 2.9f, -0.9f, 1e38f, 3, 0});
  const Tensor rows = test::random_tensor({4, 3}, 3), lines = test::random_tensor({12, 4}, 3);
  for (const char* mode : {"clip", "wrap"}) {
    SCOPED_TRACE(mode);
    test::expect_as_on_cpu("take", {{"mode", mode}}, {&rows, &indices}, kSameBits);
    test::expect_as_on_cpu("pick", {{"axis", "1"}, {"mode", mode}}, {&lines, &indices}, kSameBits);
  }
  test::expect_as_on_cpu("Embedding", {{"input_dim", "4"}, {"output_dim", "3"}}, {&indices, &rows},
                         {.parameters = {1}, .tolerance = 0});
  test::expect_as_on_cpu("batch_take", {}, {&lines, &indices}, kSameBits);
  test::expect_as_on_cpu("one_hot", {{"depth", "4"}}, {&indices}, kSameBits);
  const Tensor steps = test::random_tensor({5, 12, 2}, 4);
  for (const char* op : {"SequenceMask", "SequenceLast", "SequenceReverse"}) {
    SCOPED_TRACE(op);
    test::expect_as_on_cpu(op, {{"use_sequence_length", "True"}}, {&steps, &indices}, kSameBits);
  }
}

TEST(GatherOnCuda, Embedding) {
  const Tensor weight = test::random_tensor({10, 12}, 3);
  for (const Tensor& indices : all_indices({2, 9}, -2, 13)) {
    test::expect_as_on_cpu("Embedding", {{"input_dim", "10"}, {"output_dim", "12"}}, {&indices, &weight},
                           {.parameters = {1}, .tolerance = 0});
  }
}

TEST(GatherOnCuda, Pick) {
  const Tensor data = test::random_tensor({3, 4, 5}, 3), matrix = test::random_tensor({300, 7}, 3);
  for (const char* mode : {"clip", "wrap"}) {
    for (const Tensor& indices : all_indices({3, 5}, -6, 9)) {
      test::expect_as_on_cpu("pick", {{"axis", "1"}, {"mode", mode}}, {&data, &indices}, kSameBits);
    }
  }
  for (const Tensor& indices : all_indices({300}, -6, 9))
    test::expect_as_on_cpu("batch_take", {}, {&matrix, &indices}, kSameBits);
}

TEST(GatherOnCuda, GatherByIndices) {
  const Tensor data = test::random_tensor({3, 4, 5}, 3);
  for (const auto& parameters : {std::vector<std::size_t>{}, std::vector<std::size_t>{1}}) {
    for (const Tensor& indices : all_indices({2, 6}, -3, 3))
      test::expect_as_on_cpu("gather_nd", {}, {&data, &indices}, {.parameters = parameters, .tolerance = 0});
    const Tensor all = indices_of<std::int32_t>({3, 6}, 0, 3);
    test::expect_as_on_cpu("gather_nd", {}, {&data, &all}, {.parameters = parameters, .tolerance = 0});
    const Tensor many = indices_of<std::int64_t>({1, 300}, -3, 3);
    test::expect_as_on_cpu("gather_nd", {}, {&data, &many}, {.parameters = parameters, .tolerance = 0});
  }
}

std::shared_ptr<const plan::Plan> plan_for_cuda(const test::OneOperator& graph, plan::WeightStore& weights) {
  std::vector<ops::TensorType> types;
  for (const Tensor* input : graph.inputs) types.push_back({input->dtype(), input->shape()});
  return plan::make_plan(graph.graph, types, test::cuda_plan_options(), weights);
}

TEST(GatherOnCuda, AnIndexOutsideGathersNan) {
  const Tensor data = test::random_tensor({3, 4, 5}, 3);
  const Tensor indices = test::tensor_of<float>({2, 6}, {0, 3, -4, 1, 2, -3,  //
                                                         0, 0, 0, 4, -5, -4});
  const auto graph = test::one_operator("gather_nd", {}, {&data, &indices});
  plan::WeightStore weights;
  const auto plan = plan_for_cuda(graph, weights);
  ASSERT_TRUE(test::runs_on_cuda(*plan));
  const std::vector<Tensor> outputs = test::run_on(plan, graph.inputs);
  for (std::int64_t i = 0; i < 30; ++i) {
    const bool is_inside = i < 5 || i >= 25;
    if (is_inside) {
      EXPECT_EQ(outputs[0].data<float>()[i], data.data<float>()[i % 5]) << i;
    } else {
      EXPECT_TRUE(std::isnan(outputs[0].data<float>()[i])) << i;
    }
  }
}

TEST(GatherOnCuda, AParameterOutsideIsAnErrorOfThePlan) {
  const Tensor data = test::random_tensor({3, 4}, 3), indices = test::tensor_of<float>({1, 2}, {0, 3});
  const auto graph = test::one_operator("gather_nd", {}, {&data, &indices}, {.parameters = {1}});
  plan::WeightStore weights;
  EXPECT_MXINFER_ERROR(plan_for_cuda(graph, weights), ErrorCode::invalid_argument,
                       {"index 3 at position 1", "3 elements"});
}

// They would have to report an index that is outside.
TEST(GatherOnCuda, WhatReportsIndicesStaysOnTheCpu) {
  const Tensor indices = indices_of<std::int32_t>({2, 6}, 0, 3);
  const auto runs_on_cuda = [&](const char* op, const Tensor& data,
                                const std::map<std::string, std::string>& attrs) {
    plan::WeightStore weights;
    return test::runs_on_cuda(*plan_for_cuda(test::one_operator(op, attrs, {&data, &indices}), weights));
  };
  const Tensor floats = test::random_tensor({3, 4}, 3), integers = indices_of<std::int32_t>({3, 4}, 0, 9);
  EXPECT_FALSE(runs_on_cuda("gather_nd", integers, {}));
  EXPECT_TRUE(runs_on_cuda("gather_nd", floats, {}));
  EXPECT_FALSE(runs_on_cuda("take", floats, {{"mode", "raise"}}));
  EXPECT_TRUE(runs_on_cuda("take", floats, {}));
}

TEST(GatherOnCuda, OneHot) {
  for (const Tensor& indices : all_indices({2, 50}, -2, 9)) {
    for (const char* dtype : {"float32", "float16", "uint8", "int64"}) {
      test::expect_as_on_cpu("one_hot",
                             {{"depth", "7"}, {"on_value", "3"}, {"off_value", "1"}, {"dtype", dtype}},
                             {&indices}, kSameBits);
    }
  }
}

TEST(GatherOnCuda, Sequences) {
  for (const Shape& shape : {Shape{4, 3, 5}, Shape{4, 3}, Shape{4, 3, 2, 64}}) {
    const Tensor data = test::random_tensor(shape, 3);
    for (const char* axis : {"0", "1"}) {
      const Shape batch{shape[axis[0] == '0' ? 1 : 0]};
      for (const Tensor& lengths : all_indices(batch, -1, 6)) {
        const std::map<std::string, std::string> attrs{{"use_sequence_length", "True"}, {"axis", axis}};
        auto mask = attrs;
        mask["value"] = "-7";
        test::expect_as_on_cpu("SequenceMask", mask, {&data, &lengths}, kSameBits);
        test::expect_as_on_cpu("SequenceLast", attrs, {&data, &lengths}, kSameBits);
        if (axis[0] == '0') test::expect_as_on_cpu("SequenceReverse", attrs, {&data, &lengths}, kSameBits);
      }
      test::expect_as_on_cpu("SequenceLast", {{"axis", axis}}, {&data}, kSameBits);
    }
    test::expect_as_on_cpu("SequenceReverse", {}, {&data}, kSameBits);
  }
}

TEST(GatherOnCuda, Pad) {
  const Tensor data = test::random_tensor({2, 3, 5, 6}, 3);
  for (const char* mode : {"constant", "edge", "reflect"}) {
    for (const char* widths :
         {"(0, 0, 0, 0, 2, 1, 3, 4)", "(0, 0, 0, 0, 0, 0, 0, 5)", "(0, 0, 2, 1, 0, 0, 0, 0)",
          "(1, 1, 0, 0, 0, 0, 1, 1)", "(0, 0, 0, 0, 0, 0, 0, 0)"}) {
      test::expect_as_on_cpu("Pad", {{"mode", mode}, {"pad_width", widths}, {"constant_value", "2.5"}},
                             {&data}, kSameBits);
    }
  }
  // What crops.
  test::expect_as_on_cpu("Pad", {{"mode", "constant"}, {"pad_width", "(0, 0, 0, 0, -1, 2, -2, -1)"}}, {&data},
                         kSameBits);
}

TEST(GatherOnCuda, RunningSums) {
  const Tensor data = test::random_tensor({3, 40, 9}, 3), whole = indices_of<std::int64_t>({7, 5}, -100, 100);
  for (const char* axis : {"0", "1", "-1", "None"}) {
    test::expect_as_on_cpu("_np_cumsum", {{"axis", axis}}, {&data}, kSameBits);
  }
  test::expect_as_on_cpu("_np_cumsum", {{"axis", "1"}}, {&whole}, kSameBits);
}

TEST(GatherOnCuda, WhatTheShapesTell) {
  const Tensor data = test::random_tensor({3, 4, 5}, 3);
  for (const char* op : {"shape_array", "size_array", "_contrib_arange_like", "_contrib_index_array"})
    test::expect_as_on_cpu(op, {}, {&data}, kSameBits);
  test::expect_as_on_cpu("_contrib_arange_like", {{"axis", "1"}, {"start", "2"}, {"step", "0.5"}}, {&data},
                         kSameBits);
  test::expect_as_on_cpu("_full", {{"shape", "(3, 100)"}, {"value", "2.5"}}, {}, kSameBits);
  test::expect_as_on_cpu("_zeros", {{"shape", "(1,)"}, {"dtype", "int64"}}, {}, kSameBits);
  test::expect_as_on_cpu("_ones", {{"shape", "(5, 7)"}, {"dtype", "uint8"}}, {}, kSameBits);
  test::expect_as_on_cpu("_arange", {{"start", "1"}, {"stop", "300"}}, {}, kSameBits);
  test::expect_as_on_cpu("_eye", {{"N", "5"}, {"M", "4"}, {"k", "-1"}}, {}, kSameBits);
}

TEST(GatherOnCuda, Copies) {
  const Tensor data = test::random_tensor({6, 5}, 3), part = test::random_tensor({2, 5}, 4);
  test::expect_as_on_cpu("_slice_assign", {{"begin", "(1, 0)"}, {"end", "(3, 5)"}}, {&data, &part},
                         kSameBits);
  test::expect_as_on_cpu("_slice_assign_scalar", {{"begin", "(1, 2)"}, {"end", "(3, 4)"}, {"scalar", "7"}},
                         {&data}, kSameBits);
  test::expect_as_on_cpu("diag", {{"k", "1"}}, {&data}, kSameBits);
  const Tensor square = test::random_tensor({2, 4, 4}, 5), row = test::random_tensor({2, 4}, 6),
               triangle = test::random_tensor({2, 6}, 7);
  test::expect_as_on_cpu("_linalg_extractdiag", {{"offset", "1"}}, {&square}, kSameBits);
  test::expect_as_on_cpu("_linalg_makediag", {{"offset", "-1"}}, {&row}, kSameBits);
  test::expect_as_on_cpu("_linalg_extracttrian", {}, {&square}, kSameBits);
  test::expect_as_on_cpu("_linalg_maketrian", {}, {&triangle}, kSameBits);
}

// Of few rows and many indices, so that most have several.
TEST(ScatterOnCuda, TheLastOfSeveralIndicesStays) {
  for (const auto& parameters : {std::vector<std::size_t>{}, std::vector<std::size_t>{1}}) {
    const test::OnCudaOptions options{.parameters = parameters, .tolerance = 0};
    for (const std::int64_t count : {1, 7, 600}) {
      for (const std::int64_t width : {1, 3, 4, 70}) {
        const Tensor rows = test::random_tensor({count, width}, 3);
        for (const Tensor& indices : all_indices({1, count}, 0, 5))
          test::expect_as_on_cpu("scatter_nd", {{"shape", "(5, " + std::to_string(width) + ")"}},
                                 {&rows, &indices}, options);
      }
    }
    const Tensor elements = test::random_tensor({40}, 4), places = indices_of<std::int32_t>({3, 40}, 0, 3);
    test::expect_as_on_cpu("scatter_nd", {{"shape", "(3, 4, 5)"}}, {&elements, &places}, options);
  }
}

TEST(ScatterOnCuda, OtherRowsStay) {
  const Tensor base = test::random_tensor({3, 4, 5}, 1), rows = test::random_tensor({6, 5}, 2);
  for (const Tensor& indices : all_indices({2, 6}, 0, 3))
    test::expect_as_on_cpu("_scatter_set_nd", {{"shape", "(3, 4, 5)"}}, {&base, &rows, &indices}, kSameBits);
  for (const std::int64_t count : {0, 1, 2, 9}) {
    const Tensor fresh = test::random_tensor({count, 4, 5}, 3);
    for (const Tensor& indices : all_indices({count}, 0, 3))
      test::expect_as_on_cpu("_contrib_index_copy", {}, {&base, &indices, &fresh}, kSameBits);
  }
}

TEST(ScatterOnCuda, ElementsOfAnyType) {
  const Tensor bytes = bytes_of_numbers({4, 3}), places = indices_of<std::int32_t>({1, 4}, 0, 6);
  test::expect_as_on_cpu("scatter_nd", {{"shape", "(6, 3)"}}, {&bytes, &places},
                         {.parameters = {1}, .tolerance = 0});
  const Tensor numbers = indices_of<std::int64_t>({4, 3}, -9, 9);
  test::expect_as_on_cpu("scatter_nd", {{"shape", "(6, 3)"}}, {&numbers, &places},
                         {.parameters = {1}, .tolerance = 0});
}

TEST(ScatterOnCuda, AnIndexOutsideMakesAllOfItNan) {
  const Tensor rows = test::random_tensor({3, 2}, 3);
  for (const float outside : {-1.0f, 5.0f, 3e9f, std::numeric_limits<float>::quiet_NaN()}) {
    const Tensor indices = test::tensor_of<float>({1, 3}, {0, outside, 4});
    const auto graph = test::one_operator("scatter_nd", {{"shape", "(5, 2)"}}, {&rows, &indices});
    plan::WeightStore weights;
    const auto plan = plan_for_cuda(graph, weights);
    ASSERT_TRUE(test::runs_on_cuda(*plan));
    const Tensor output = std::move(test::run_on(plan, graph.inputs)[0]);
    for (std::int64_t i = 0; i < output.elements(); ++i)
      EXPECT_TRUE(std::isnan(output.data<float>()[i])) << i;
    const auto known =
        test::one_operator("scatter_nd", {{"shape", "(5, 2)"}}, {&rows, &indices}, {.parameters = {1}});
    EXPECT_MXINFER_ERROR(plan_for_cuda(known, weights), ErrorCode::invalid_argument,
                         {"is outside the 5 elements of that axis"});
  }
}

TEST(ScatterOnCuda, OneElementOfARow) {
  for (const std::int64_t width : {1, 5, 300}) {
    const Tensor lhs = test::random_tensor({9, width}, 1), mhs = test::random_tensor({9}, 2);
    const Tensor rhs = indices_of<float>({9}, -2, 7);
    test::expect_as_on_cpu("fill_element_0index", {}, {&lhs, &mhs, &rhs}, kSameBits);
    test::expect_as_on_cpu("_onehot_encode", {}, {&rhs, &lhs}, kSameBits);
  }
}

}  // namespace
}  // namespace mxinfer
