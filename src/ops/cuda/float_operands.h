// Nodes whose values are floats of one type on a GPU, float32 or 16-bit ones, and what else such a node
// reads: weights, which may be parameters of another float type, and vectors (biases, slopes), which kernels
// read as float32.
//
//   const NodeFloats floats = node_floats(node, device, {.weights = {1}, .vectors = {2}});
//   if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
//   ...
//   const FloatVector bias = float_vector(context, 2);      // in lower()
//   args.bias = bias.data(run);                             // in a run
#pragma once

#include <vector>

#include "kernels/common/float_type.h"
#include "ops/cuda/cuda_op.h"

namespace mxinfer::ops {

/// Which inputs are no values; those that a node does not have do not count. `others` may have any type.
struct FloatRoles {
  std::vector<std::size_t> weights{}, vectors{}, others{};
};

struct NodeFloats {
  kernels::FloatType type = kernels::FloatType::float32;
  std::string rejects{};  ///< why kernels do not take the types, or empty
};

/// The type of the values of a node: of all outputs and of all inputs but those of `roles`.
NodeFloats node_floats(const OpProblem& node, const device::CudaDevice& device, const FloatRoles& roles = {});

/// The address so many elements further.
inline const void* advanced(const void* address, std::int64_t elements, kernels::FloatType type) {
  return static_cast<const char*>(address) + elements * static_cast<std::int64_t>(kernels::bytes_of(type));
}
inline void* advanced(void* address, std::int64_t elements, kernels::FloatType type) {
  return static_cast<char*>(address) + elements * static_cast<std::int64_t>(kernels::bytes_of(type));
}

/// float32 for what is neither float16 nor bfloat16.
kernels::FloatType float_type_of(DType dtype);

/// The elements of a float16, bfloat16 or float32 array of the process.
std::vector<float> as_floats(const TensorView& values);

/// float32 that a step reads: an input, or a parameter that was widened.
struct FloatVector {
  std::optional<std::size_t> input{};
  const float* packed = nullptr;

  /// Null if there is none.
  const float* data(const RunContext& run) const {
    return packed != nullptr ? packed : input ? run.input<float>(*input) : nullptr;
  }
};
FloatVector float_vector(LowerContext& context, std::optional<std::size_t> input);

/// Elements of a node's type that a step reads: an input, or a parameter that was converted.
struct StoredOperand {
  std::size_t input = 0;
  const std::byte* packed = nullptr;

  const void* data(const RunContext& run) const { return packed != nullptr ? packed : run.inputs[input]; }
};
StoredOperand stored_operand(LowerContext& context, std::size_t input, kernels::FloatType type);
/// A parameter of floats as float32, rounded to tf32.
StoredOperand tf32_operand(LowerContext& context, std::size_t input);

}  // namespace mxinfer::ops
