// bincount, whose output has the size that the values need, and messages of NumPy's statistics.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <vector>

#include "passes/bind/cut_at_data.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;

template <typename T>
std::vector<T> counts(const std::vector<Tensor>& outputs) {
  const std::int64_t bins = outputs[1].data<std::int64_t>()[0];
  return {outputs[0].data<T>(), outputs[0].data<T>() + bins};
}

TEST(Bincount, CountsUpToTheLargestNumber) {
  const Tensor data = test::tensor_of<std::int32_t>({4}, {1, 0, 3, 1});
  EXPECT_EQ(counts<std::int32_t>(run_op("_mxinfer_bincount", {}, {&data})),
            (std::vector<std::int32_t>{1, 2, 0, 1}));
  EXPECT_EQ(counts<std::int32_t>(run_op("_mxinfer_bincount", {{"minlength", "6"}}, {&data})),
            (std::vector<std::int32_t>{1, 2, 0, 1, 0, 0}));
  const Tensor weights = test::tensor_of<float>({4}, {1.5f, 2, 3, 4});
  EXPECT_EQ(counts<float>(run_op("_mxinfer_bincount", {{"has_weights", "True"}}, {&data, &weights})),
            (std::vector<float>{2, 5.5f, 0, 3}));
  const Tensor nothing(DType::int64, Shape{0});
  EXPECT_EQ(counts<std::int64_t>(run_op("_mxinfer_bincount", {{"minlength", "2"}}, {&nothing})),
            (std::vector<std::int64_t>{0, 0}));
}

TEST(Bincount, IsWhereAGraphIsCut) {
  test::GraphBuilder b;
  b.head(b.op("_np_sum", {}, {b.op("_npi_bincount", {}, {b.input("data")})}));
  const auto parts = passes::cut_at_data(b.graph());
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(test::op_names(parts[0].graph), std::vector<std::string>{"_mxinfer_bincount"});
}

TEST(Bincount, SaysWhatIsNotCounted) {
  const Tensor negative = test::tensor_of<std::int32_t>({2}, {1, -1});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_bincount", {}, {&negative}), ErrorCode::invalid_argument,
                       {"element 1", "negative"});
  const Tensor large = test::tensor_of<std::int32_t>({1}, {1 << 20});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_bincount", {}, {&large}), ErrorCode::unsupported,
                       {"data holds 1048576", "minlength"});
  const Tensor floats = test::random_tensor({3}, 1);
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_bincount", {}, {&floats}), ErrorCode::unsupported,
                       {"expected integers"});
}

TEST(NumpyStatistics, SayWhatDoesNotFit) {
  const Tensor a = test::random_tensor({2, 3}, 1), two = test::random_tensor({2}, 2),
               none(DType::float32, Shape{0});
  EXPECT_MXINFER_ERROR(run_op("_np_sum", {{"axis", "(0, 0)"}}, {&a}), ErrorCode::invalid_argument, {"twice"});
  EXPECT_MXINFER_ERROR(run_op("_np_sum", {{"initial", "2.5"}}, {&a}), ErrorCode::unsupported, {"initial"});
  EXPECT_MXINFER_ERROR(run_op("_np_max", {}, {&none}), ErrorCode::invalid_argument,
                       {"no elements have no max"});
  EXPECT_MXINFER_ERROR(run_op("_npi_argmax", {}, {&none}), ErrorCode::invalid_argument,
                       {"no elements to search"});
  EXPECT_MXINFER_ERROR(run_op("_npi_average", {{"axis", "1"}}, {&a, &two}), ErrorCode::invalid_argument,
                       {"weights have the shape (2,)"});
  EXPECT_MXINFER_ERROR(run_op("_npi_percentile", {{"q_scalar", "101"}}, {&a}), ErrorCode::invalid_argument,
                       {"q holds 101"});
  const Tensor q = test::tensor_of<float>({1}, {-1});
  EXPECT_MXINFER_ERROR(run_op("_npi_percentile", {}, {&a, &q}), ErrorCode::invalid_argument, {"q holds -1"});
  EXPECT_MXINFER_ERROR(run_op("_np_trace", {{"axis2", "-2"}}, {&a}), ErrorCode::invalid_argument,
                       {"both axis 0"});
}

TEST(NumpyLinalg, SaysWhatHasNoResult) {
  const Tensor turn = test::tensor_of<float>({2, 2}, {0, 1, -1, 0}),
               zeros = test::tensor_of<float>({2, 2}, {0, 0, 0, 0});
  const Tensor tall = test::random_tensor({3, 2}, 1), vector = test::random_tensor({2}, 2);
  EXPECT_MXINFER_ERROR(run_op("_npi_eig", {}, {&turn}), ErrorCode::invalid_argument, {"complex eigenvalues"});
  EXPECT_MXINFER_ERROR(run_op("_npi_solve", {}, {&zeros, &vector}), ErrorCode::invalid_argument,
                       {"is singular"});
  EXPECT_MXINFER_ERROR(run_op("_npi_svd", {}, {&tall}), ErrorCode::invalid_argument,
                       {"as many columns as rows"});
  EXPECT_MXINFER_ERROR(run_op("_npi_eigh", {}, {&tall}), ErrorCode::invalid_argument, {"square"});
  EXPECT_MXINFER_ERROR(run_op("_npi_tensorinv", {{"ind", "0"}}, {&zeros}), ErrorCode::invalid_argument,
                       {"ind=0"});
}

}  // namespace
}  // namespace mxinfer
