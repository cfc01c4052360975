// NumPy's element-wise operators beyond the recorded cases: what they refuse, and what passes fuse into them.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernels/common/bfloat16.h"
#include "ops/elementwise/promotion.h"
#include "ops/op_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::random_tensor;
using test::run_op;
using test::tensor_of;

TEST(NumpyElementwise, PromotesDtypes) {
  using ops::promoted_dtype;
  EXPECT_EQ(promoted_dtype(DType::int64, DType::float16), DType::float16);
  EXPECT_EQ(promoted_dtype(DType::float32, DType::float64), DType::float64);
  EXPECT_EQ(promoted_dtype(DType::boolean, DType::uint8), DType::uint8);
  EXPECT_EQ(promoted_dtype(DType::uint8, DType::int32), DType::int32);
  EXPECT_EQ(promoted_dtype(DType::uint8, DType::int8), std::nullopt);
  EXPECT_EQ(promoted_dtype(DType::bfloat16, DType::float32), std::nullopt);
  EXPECT_EQ(ops::quotient_dtype(DType::int64, DType::int64), DType::float32);
  EXPECT_EQ(ops::quotient_dtype(DType::int64, DType::float64), DType::float64);
  EXPECT_EQ(ops::quotient_dtype(DType::int64, DType::int32), std::nullopt);
  EXPECT_EQ(ops::quotient_dtype(DType::float16, DType::float32), std::nullopt);
}

TEST(NumpyElementwise, RefusesDtypesThatMxnetRefuses) {
  const Tensor bytes(DType::uint8, {2}), signed_bytes(DType::int8, {2}), floats = random_tensor({2}, 1);
  const Tensor doubles(DType::float64, {2}), truths(DType::boolean, {2});
  const auto refuses = [](const char* op, const std::vector<const Tensor*>& inputs) {
    EXPECT_THROW((void)run_op(op, {}, inputs), Error) << op;
  };
  refuses("_npi_add", {&bytes, &signed_bytes});
  refuses("_npi_true_divide", {&floats, &doubles});
  refuses("_npi_subtract", {&truths, &truths});
  refuses("_npi_mod", {&truths, &truths});
  refuses("_npi_maximum", {&floats, &doubles});
  refuses("_npi_less", {&floats, &doubles});
  refuses("_npi_where", {&truths, &floats, &doubles});
  for (const char* op : {"_npi_lcm", "_npi_bitwise_and", "_npi_bitwise_or", "_npi_bitwise_xor"})
    refuses(op, {&floats, &floats});
  for (const char* op : {"_npi_bitwise_not", "_npi_bitwise_xor_scalar", "_npi_lcm_scalar"})
    refuses(op, {&floats});
  refuses("_npx_constraint_check", {&floats});
}

TEST(NumpyElementwise, ConstraintsThatDoNotHoldFail) {
  const Tensor truths = tensor_of<bool>({2}, {true, false});
  test::expect_op_error("_npx_constraint_check", {{"msg", "scale must be positive"}}, {&truths},
                        ErrorCode::invalid_argument, "scale must be positive");
}

TEST(NumpyElementwise, OneValueSharesItsMemory) {
  const Tensor data = random_tensor({3}, 1);
  EXPECT_TRUE(*run_op("_npi_share_memory", {}, {&data, &data})[0].data<bool>());
}

TEST(NumpyElementwise, WhereTakesANumberBesideBfloat16) {
  const Tensor condition = tensor_of<bool>({3}, {true, false, true});
  Tensor data(DType::bfloat16, {3});
  for (int i = 0; i < 3; ++i)
    static_cast<kernels::BFloat16*>(data.raw())[i] = kernels::BFloat16(static_cast<float>(i));
  const Tensor result = std::move(run_op("_npi_where_lscalar", {{"scalar", "2.5"}}, {&condition, &data})[0]);
  const auto* values = static_cast<const kernels::BFloat16*>(result.raw());
  EXPECT_EQ(static_cast<float>(values[0]), 2.5F);
  EXPECT_EQ(static_cast<float>(values[1]), 1.0F);
  EXPECT_EQ(static_cast<float>(values[2]), 2.5F);
}

// What is fused behind a product of two dtypes is computed in the result's.
TEST(NumpyElementwise, FusesBehindMixedOperands) {
  const Tensor whole = tensor_of<std::int32_t>({2, 3}, {1, -2, 3, -4, 5, -6});
  const Tensor row = tensor_of<float>({3}, {0.5f, 1.5f, 2.5f});
  const Tensor residual = tensor_of<float>({2, 3}, {1, 1, 1, 20, 1, 1});
  test::RunOpOptions options;
  options.post_ops.activation = graph::Activation::relu;
  options.post_ops.residual = true;
  const Tensor result = std::move(run_op("_npi_multiply", {}, {&whole, &row, &residual}, options)[0]);
  const std::vector<float> expected{1.5f, 0, 8.5f, 18, 8.5f, 0};
  ASSERT_EQ(result.dtype(), DType::float32);
  EXPECT_EQ(std::vector<float>(result.data<float>(), result.data<float>() + 6), expected);
}

}  // namespace
}  // namespace mxinfer
