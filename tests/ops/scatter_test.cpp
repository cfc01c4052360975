// What the recorded cases cannot say about scatter_nd and its relatives: indices that MXNet writes beside the
// array for, and operators that a symbol of MXNet cannot run by itself. Expected values are MXNet's own.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <vector>

#include "op_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::message_of;
using test::run_op;
using test::tensor_of;

std::vector<float> floats(const Tensor& tensor) {
  return {tensor.span<float>().begin(), tensor.span<float>().end()};
}

Tensor counting(const Shape& shape) {
  Tensor tensor(DType::float32, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) tensor.data<float>()[i] = static_cast<float>(i);
  return tensor;
}

TEST(Scatter, AnIndexOutsideIsAnError) {
  const Tensor data = tensor_of<float>({2}, {1, 2}), below = tensor_of<float>({1, 2}, {0, -1}),
               above = tensor_of<float>({1, 2}, {4, 0});
  EXPECT_NE(message_of("scatter_nd", {{"shape", "(4,)"}}, {&data, &below}).find("index -1 at position 1"),
            std::string::npos);
  EXPECT_NE(message_of("scatter_nd", {{"shape", "(4,)"}}, {&data, &above}).find("index 4 at position 0"),
            std::string::npos);
  const Tensor old = counting({3}), index = tensor_of<float>({2}, {1, 3});
  EXPECT_NE(message_of("_contrib_index_copy", {}, {&old, &index, &data}).find("outside the 3 elements"),
            std::string::npos);
}

TEST(Scatter, ShapesThatDoNotFitAreErrors) {
  const Tensor data = counting({2, 3}), index = tensor_of<float>({1, 2}, {0, 1});
  EXPECT_NE(message_of("scatter_nd", {{"shape", "(4, 2)"}}, {&data, &index}).find("ask for (2, 2)"),
            std::string::npos);
  EXPECT_NE(message_of("scatter_nd", {{"shape", "()"}}, {&data, &index}).find("first dimension"),
            std::string::npos);
  EXPECT_NE(message_of("_slice_assign", {{"begin", "(0,)"}, {"end", "(1,)"}}, {&data, &data}).find("(1, 3)"),
            std::string::npos);
}

TEST(Scatter, SetsElementsOfAnArray) {
  const Tensor lhs = counting({4, 3}), rhs = tensor_of<float>({2}, {-1, -2});
  const Tensor index = tensor_of<std::int64_t>({2, 2}, {1, 3, 0, 2});
  const auto out = run_op("_scatter_set_nd", {{"shape", "(4, 3)"}}, {&lhs, &rhs, &index});
  EXPECT_EQ(floats(out[0]), (std::vector<float>{0, 1, 2, -1, 4, 5, 6, 7, 8, 9, 10, -2}));
}

TEST(Scatter, FillsAnElementOfEachRow) {
  const Tensor lhs = counting({4, 3}), values = tensor_of<float>({4}, {9, 8, 7, 6}),
               index = tensor_of<float>({4}, {0, -1, 3, 0.9f});
  const auto out = run_op("fill_element_0index", {}, {&lhs, &values, &index});
  EXPECT_EQ(floats(out[0]), (std::vector<float>{9, 1, 2, 3, 4, 5, 6, 7, 8, 6, 10, 11}));
}

TEST(Scatter, EncodesOneHot) {
  const Tensor index = tensor_of<float>({3}, {1.9f, -1, 3}), like = counting({3, 3});
  const auto out = run_op("_onehot_encode", {}, {&index, &like});
  EXPECT_EQ(floats(out[0]), (std::vector<float>{0, 1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(SparseStorage, KeepsTheNamedRows) {
  const Tensor data = tensor_of<float>({4, 3}, {0, 0, 0, 1, 0, 2, 0, 0, 0, 3, 4, 0});
  const Tensor index = tensor_of<float>({3}, {3, 7, 0});
  const auto out = run_op("_sparse_retain", {}, {&data, &index});
  EXPECT_EQ(floats(out[0]), (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0}));
}

TEST(SparseStorage, SumsSquares) {
  const Tensor data = tensor_of<float>({4, 3}, {0, 0, 0, 1, 0, 2, 0, 0, 0, 3, 4, 0});
  EXPECT_EQ(floats(run_op("_square_sum", {{"axis", "1"}}, {&data})[0]), (std::vector<float>{0, 5, 0, 25}));
  const auto kept = run_op("_square_sum", {{"axis", "0"}, {"keepdims", "True"}}, {&data});
  EXPECT_EQ(kept[0].shape(), (Shape{1, 3}));
  EXPECT_EQ(floats(kept[0]), (std::vector<float>{10, 16, 4}));
}

TEST(SparseStorage, CountsWhatIsNotZero) {
  const Tensor data = tensor_of<float>({4, 3}, {0, 0, 0, 1, 0, 2, 0, 0, 0, 3, 4, 0});
  const auto all = run_op("_contrib_getnnz", {}, {&data}),
             rows = run_op("_contrib_getnnz", {{"axis", "1"}}, {&data});
  EXPECT_EQ(all[0].data<std::int64_t>()[0], 4);
  const auto counts = rows[0].span<std::int64_t>();
  EXPECT_EQ((std::vector<std::int64_t>{counts.begin(), counts.end()}),
            (std::vector<std::int64_t>{0, 2, 0, 2}));
  EXPECT_NE(message_of("_contrib_getnnz", {{"axis", "0"}}, {&data}).find("None and 1"), std::string::npos);
}

TEST(Initial, ZerosWithoutADtypeAreFloats) {
  const auto out = run_op("_zeros_without_dtype", {{"shape", "(2,)"}}, {});
  EXPECT_EQ(out[0].dtype(), DType::float32);
  EXPECT_EQ(floats(out[0]), (std::vector<float>{0, 0}));
}

TEST(Histogram, RefusesHalfASpecification) {
  const Tensor data = counting({4}), bounds = tensor_of<float>({1}, {3});
  EXPECT_NE(message_of("_histogram", {{"bin_cnt", "4"}}, {&data}).find("given together"), std::string::npos);
  EXPECT_NE(
      message_of("_histogram", {{"bin_cnt", "4"}, {"range", "(4, 0)"}}, {&data}).find("smaller one first"),
      std::string::npos);
  EXPECT_NE(message_of("_histogram", {}, {&data, &bounds}).find("2 bounds or more"), std::string::npos);
}

TEST(Histogram, BoundsOutOfOrderTouchNoOtherMemory) {
  const Tensor data = counting({9});
  const Tensor bounds = tensor_of<float>({4}, {0, 7, 2, 5});
  const auto out = run_op("_histogram", {}, {&data, &bounds});
  EXPECT_EQ(out[0].shape(), (Shape{3}));
}

}  // namespace
}  // namespace mxinfer
