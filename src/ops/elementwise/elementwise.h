// What the element-wise operators share: lowering a named kernel function over all elements, with
// broadcasting, in place if the plan allows it, with a fused activation, cut into pieces for threads.
//
//   .lower = [](LowerContext& ctx) { return lower_unary(ctx, "sigmoid"); }
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/elementwise/unary.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Elements in one piece of a loop: small tensors stay on one thread.
inline constexpr std::int64_t kElementGrain = 16384;

inline kernels::ElementType element_type(DType dtype) {
  return static_cast<kernels::ElementType>(dtype);
}

/// Whether arithmetic on the dtype is that of integers.
inline bool computes_integers(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::int8 || dtype == DType::int32 || dtype == DType::int64;
}

/// Step::kernel: "unary_relu_simd_float32 [avx2]". target: whose instructions the implementation uses.
std::string kernel_name(std::string_view family, std::string_view function, std::string_view variant,
                        DType dtype, kernels::Target target);

/// Allows output 0 to take the place of every input of its dtype and shape.
void allow_overwriting(LowerContext& ctx, std::size_t inputs);

/// A function of one element, chosen.
struct UnaryStage {
  kernels::UnaryFn run = nullptr;
  kernels::UnaryParams params{};
};

/// The activation of post-ops as a stage to run over what was just computed, empty if there is none.
/// Throws Error(unsupported) for a dtype that has no such activation.
UnaryStage activation_stage(const graph::PostOps& post_ops, DType dtype, kernels::Target target);

/// One input, same shape: output 0 has the dtype and shape of input 0.
std::vector<TensorType> infer_same(const InferContext& ctx);
/// As infer_same; Error(unsupported) unless floating point.
std::vector<TensorType> infer_same_float(const InferContext& ctx);

/// As infer_same; Error(unsupported) unless integers, or booleans.
std::vector<TensorType> infer_same_bits(const InferContext& ctx);

/// output 0 = function(input 0), element-wise, then the post-ops' activation.
Step lower_unary(LowerContext& ctx, std::string_view function, kernels::UnaryParams params = {});
/// output 0 = whether function(input 0), as booleans.
Step lower_predicate(LowerContext& ctx, std::string_view function);
/// What _npi_nan_to_num puts in place of NaN, infinity and -infinity (a, b, c).
kernels::UnaryParams nan_to_num_params(const Attrs& attrs, DType dtype);
/// Output 0 is input 0.
Step lower_identity(LowerContext& ctx);
/// output 0 = input 0 converted to the dtype of output 0.
Step lower_cast(LowerContext& ctx, std::size_t input = 0, std::size_t output = 0);

/// The shape that lhs and rhs broadcast to: dimensions are matched from the last, and one of them may be 1.
/// Throws Error(invalid_argument) if they do not fit.
Shape broadcast_shape(const Shape& lhs, const Shape& rhs);

/// output 0 = function(input 0, input 1) with broadcasting, then the post-ops' residual and activation,
/// computed in the output's dtype. The output is boolean for a comparison, which is computed in the inputs'.
Step lower_binary(LowerContext& ctx, std::string_view function);
/// As lower_binary with input 1 read as if it had the shape `rhs` (same number of elements).
Step lower_binary(LowerContext& ctx, std::string_view function, const Shape& rhs);
/// output 0 = function(input 0, scalar), or function(scalar, input 0) if `reversed`, computed in output
/// 0's dtype.
Step lower_binary_scalar(LowerContext& ctx, std::string_view function, double scalar, bool reversed);

/// output 0 = whether input 0 compares to the scalar so, as booleans; both are compared as `compute`.
Step lower_comparison_scalar(LowerContext& ctx, std::string_view function, double scalar, DType compute);
/// What NumPy's comparisons of such data with a scalar compute in: integers become float64 beside a scalar
/// that is not one.
DType comparison_dtype(const Attrs& attrs, DType data);

/// As lower_unary, for bfloat16.
Step lower_unary_bf16(LowerContext& ctx, std::string_view function, kernels::UnaryParams params);
/// As lower_binary, for bfloat16 inputs of one shape; Error(unsupported) if they would broadcast.
Step lower_binary_bf16(LowerContext& ctx, std::string_view function);

}  // namespace mxinfer::ops
