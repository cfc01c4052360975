#include "ops/cuda/float_operands.h"

#include <algorithm>
#include <cstring>

#include "kernels/common/bfloat16.h"
#include "kernels/common/float16.h"
#include "kernels/common/tf32.h"

namespace mxinfer::ops {
namespace {

using kernels::FloatType;

bool is_stored_float(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16 || dtype == DType::bfloat16;
}

DType dtype_of(FloatType type) {
  return type == FloatType::float16    ? DType::float16
         : type == FloatType::bfloat16 ? DType::bfloat16
                                       : DType::float32;
}

bool has(const std::vector<std::size_t>& inputs, std::size_t i) {
  return std::find(inputs.begin(), inputs.end(), i) != inputs.end();
}

/// Whether input i may be read as elements of that type.
bool is_readable(const OpProblem& node, std::size_t i, DType dtype) {
  return node.input(i).dtype == dtype || (node.is_constant(i) && is_stored_float(node.input(i).dtype));
}

std::string other_type(const OpProblem& node, std::size_t i, DType expected) {
  return concat("input ", i, " is ", to_string(node.input(i).dtype), ", not ", to_string(expected));
}

template <typename T>
std::vector<float> widened(const TensorView& values) {
  std::vector<float> floats(static_cast<std::size_t>(values.shape().elements()));
  const auto* from = static_cast<const T*>(values.raw());
  std::transform(from, from + floats.size(), floats.begin(), [](T x) { return static_cast<float>(x); });
  return floats;
}

template <typename T>
void narrow(const std::vector<float>& floats, std::byte* to) {
  auto* elements = reinterpret_cast<T*>(to);
  std::transform(floats.begin(), floats.end(), elements, [](float x) { return T(x); });
}

}  // namespace

FloatType float_type_of(DType dtype) {
  return dtype == DType::float16    ? FloatType::float16
         : dtype == DType::bfloat16 ? FloatType::bfloat16
                                    : FloatType::float32;
}

NodeFloats node_floats(const OpProblem& node, const device::CudaDevice& device, const FloatRoles& roles) {
  const DType dtype = node.output(0).dtype;
  if (!is_stored_float(dtype)) return {FloatType::float32, not_all_of_type(DType::float32)};
  if (dtype == DType::bfloat16 && !device.has_precision(kernels::Precision::bfloat16))
    return {FloatType::bfloat16, "the GPU has no instructions for bfloat16"};
  for (std::size_t o = 0; o < node.num_outputs(); ++o) {
    if (node.output(o).dtype != dtype)
      return {FloatType::float32, concat("its outputs are not all ", to_string(dtype))};
  }
  for (std::size_t i = 0; i < node.num_inputs(); ++i) {
    if (has(roles.others, i)) continue;
    const DType expected = has(roles.vectors, i) ? DType::float32 : dtype;
    const bool is_parameter = has(roles.vectors, i) || has(roles.weights, i);
    if (is_parameter ? !is_readable(node, i, expected) : node.input(i).dtype != expected)
      return {FloatType::float32, other_type(node, i, expected)};
  }
  return {float_type_of(dtype), {}};
}

std::vector<float> as_floats(const TensorView& values) {
  switch (float_type_of(values.dtype())) {
    case FloatType::float16:
      return widened<kernels::Float16>(values);
    case FloatType::bfloat16:
      return widened<kernels::BFloat16>(values);
    case FloatType::float32:
      break;
  }
  return widened<float>(values);
}

FloatVector float_vector(LowerContext& context, std::optional<std::size_t> input) {
  if (!input || context.input(*input).dtype == DType::float32) return {input, nullptr};
  const std::size_t bytes = static_cast<std::size_t>(context.input(*input).shape.elements()) * sizeof(float);
  const std::byte* packed =
      context.packed(*input, "cuda_float32", bytes, [](const TensorView& values, std::byte* dst) {
        const std::vector<float> floats = as_floats(values);
        std::memcpy(dst, floats.data(), floats.size() * sizeof(float));
      });
  return {std::nullopt, reinterpret_cast<const float*>(packed)};
}

StoredOperand stored_operand(LowerContext& context, std::size_t input, FloatType type) {
  if (context.input(input).dtype == dtype_of(type)) return {input, nullptr};
  const std::size_t bytes =
      static_cast<std::size_t>(context.input(input).shape.elements()) * kernels::bytes_of(type);
  const std::byte* packed = context.packed(input, concat("cuda_", to_string(dtype_of(type))), bytes,
                                           [type](const TensorView& values, std::byte* dst) {
                                             const std::vector<float> floats = as_floats(values);
                                             if (type == FloatType::float16) {
                                               narrow<kernels::Float16>(floats, dst);
                                             } else if (type == FloatType::bfloat16) {
                                               narrow<kernels::BFloat16>(floats, dst);
                                             } else {
                                               std::memcpy(dst, floats.data(), floats.size() * sizeof(float));
                                             }
                                           });
  return {input, packed};
}

StoredOperand tf32_operand(LowerContext& context, std::size_t input) {
  const std::size_t bytes = static_cast<std::size_t>(context.input(input).shape.elements()) * sizeof(float);
  return {input, context.packed(input, "cuda_tf32", bytes, [](const TensorView& values, std::byte* dst) {
            const std::vector<float> floats = as_floats(values);
            auto* rounded = reinterpret_cast<std::uint32_t*>(dst);
            std::transform(floats.begin(), floats.end(), rounded, kernels::to_tf32);
          })};
}

}  // namespace mxinfer::ops
