#include "ops/quantized/int8_attrs.h"

#include <cmath>

#include "ops/quantized/ranges.h"

namespace mxinfer::ops {
namespace {

constexpr auto kLastActivation = static_cast<double>(kernels::Activation::gelu_tanh);

void expect_parameter(const InferContext& context, std::size_t i, const char* name,
                      const TensorType& expected) {
  if (context.inputs[i] == expected) return;
  fail(ErrorCode::invalid_argument, name, " is ", to_string(context.inputs[i]), "; expected ",
       to_string(expected), ", for data of ", to_string(context.inputs[0]));
}

}  // namespace

float finite_attr(const Attrs& attrs, const char* name) {
  const float value = attrs.number32(name);
  if (std::isfinite(value)) return value;
  fail(ErrorCode::malformed, "attribute ", name, "=", attrs.number(name), ": expected a finite float32");
}

float positive_attr(const Attrs& attrs, const char* name) {
  const float value = attrs.number32(name);
  if (std::isfinite(value) && value > 0) return value;
  fail(ErrorCode::malformed, "attribute ", name, "=", attrs.number(name),
       ": expected a finite float32 above 0");
}

void add_activation_attrs(std::vector<AttrSpec>& attrs, const std::string& prefix) {
  attrs.push_back(integer_attr(prefix + "_function", 0).at_least(0).at_most(kLastActivation));
  attrs.push_back(number_attr(prefix + "_alpha", 0));
  attrs.push_back(number_attr(prefix + "_beta", 0));
}

PortNames int8_product_ports(const Attrs& attrs) {
  PortNames ports{{"data", "weight", "scale"}};
  if (!attrs.flag("no_bias")) ports.names.emplace_back("bias");
  return ports;
}

void expect_int8_product(const InferContext& context, const Shape& weight) {
  if (!is_8bit(context.dtype(0))) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected int8 or uint8");
  }
  (void)finite_attr(context.attrs, "dst_factor");
  const Shape filters{weight[0]};
  expect_parameter(context, 1, "weight", {DType::int8, weight});
  expect_parameter(context, 2, "scale", {DType::float32, filters});
  if (!context.attrs.flag("no_bias")) expect_parameter(context, 3, "bias", {DType::int32, filters});
}

}  // namespace mxinfer::ops
