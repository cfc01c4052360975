#include "ops/quantized/int8_parameters.h"

#include <algorithm>
#include <cstring>

#include "ops/quantized/int8_weights.h"

namespace mxinfer::ops {
namespace {

bool is_a(const ParameterInputs& inputs, std::size_t i, DType dtype, std::int64_t elements) {
  return i < inputs.size() && inputs[i] != nullptr && inputs[i]->dtype() == dtype &&
         inputs[i]->elements() == elements;
}

bool is_range(const ParameterInputs& inputs, std::optional<std::size_t> i) {
  return !i || (is_a(inputs, *i, DType::float32, 1) && is_a(inputs, *i + 1, DType::float32, 1));
}

bool is_bias(const Int8Product& product, const ParameterInputs& inputs, DType weight) {
  const std::int64_t filters = product.filters();
  if (weight == DType::float32) return is_a(inputs, *product.bias, DType::float32, filters);
  return is_a(inputs, *product.bias, DType::int8, filters) ||
         is_a(inputs, *product.bias, DType::int32, filters);
}

/// The sizes of the problem that weights have; false if they do not fit.
bool take_sizes(Int8Product& product, const Shape& weight) {
  kernels::ConvProblem& problem = product.problem;
  if (weight.rank() < 2 || weight.elements() == 0 || weight[0] != problem.filters || problem.groups < 1 ||
      problem.filters % problem.groups != 0)
    return false;
  problem.channels = weight[1] * problem.groups;
  problem.kernel = {1, 1, weight.elements(2, weight.rank())};
  return true;
}

bool are_parameters(const Int8Product& product, const ParameterInputs& inputs) {
  const DType weight = inputs[1]->dtype();
  const bool has_range = product.weight_range.has_value();
  if (weight != (has_range ? DType::int8 : DType::float32)) return false;
  bool all = is_range(inputs, product.data_range) && is_range(inputs, product.weight_range) &&
             is_range(inputs, product.bias_range);
  if (product.bias) all = all && is_bias(product, inputs, weight);
  for (std::size_t i = 0; product.batch_norm && i < 4; ++i)
    all = all && is_a(inputs, *product.batch_norm + i, DType::float32, product.filters());
  return all;
}

/// Makes blocks of int8 weights (int8_weights.h), and copies what is asked for out of them.
class ParameterMaker {
 public:
  ParameterMaker(const Int8Product& product, const ParameterInputs& inputs)
      : product_(product), layout_(product), inputs_(inputs) {
    if (product.residual) inputs_[*product.residual] = nullptr;
  }

  void write_weight(void* dst) const {
    const std::vector<std::byte> block = make(make_int8_weights);
    std::copy_n(layout_.at<std::int8_t>(block.data(), layout_.stored_at), product_.problem.weight_elements(),
                static_cast<std::int8_t*>(dst));
  }
  void write_scale(void* dst) const {
    const std::vector<std::byte> block = make(make_int8_scales);
    std::copy_n(layout_.at<float>(block.data(), layout_.scale_at), product_.filters(),
                static_cast<float*>(dst));
  }
  void write_bias(void* dst) const {
    const std::vector<std::byte> block = make(make_int8_scales);
    std::copy_n(layout_.at<std::int32_t>(block.data(), layout_.bias_at), product_.filters(),
                static_cast<std::int32_t*>(dst));
  }
  bool is_at_hand() const {
    return std::all_of(inputs_.begin(), inputs_.end(),
                       [](const auto& input) { return input == nullptr || input->is_at_hand(); });
  }

 private:
  using Make = void (*)(const Int8Product& product, const Int8Parameters& given, std::byte* block);
  std::vector<std::byte> make(Make make_block) const {
    std::vector<std::shared_ptr<const Tensor>> values;
    for (const auto& input : inputs_) values.push_back(input != nullptr ? input->value() : nullptr);
    Int8Parameters given = parameters_at(product_, [&](std::size_t i) { return values[i]->raw(); });
    given.weight = values[1]->view();
    if (product_.bias) given.bias_dtype = values[*product_.bias]->dtype();
    std::vector<std::byte> block(layout_.bytes);
    make_block(product_, given, block.data());
    return block;
  }

  Int8Product product_;
  Int8WeightLayout layout_;
  ParameterInputs inputs_;
};

std::shared_ptr<const Parameter> made_parameter(const std::shared_ptr<const ParameterMaker>& maker,
                                                void (ParameterMaker::*write)(void*) const, DType dtype,
                                                const Shape& shape, bool at_once) {
  if (!at_once) {
    return std::make_shared<const Parameter>(
        dtype, shape, [maker, write](void* dst) { ((*maker).*write)(dst); },
        [maker] { return maker->is_at_hand(); });
  }
  Tensor value = Tensor::uninitialized(dtype, shape);
  ((*maker).*write)(value.raw());
  return make_parameter(std::move(value));
}

}  // namespace

std::optional<Int8ParameterSet> int8_parameters(Int8Product product, const ParameterInputs& inputs) {
  if (inputs.size() < 2 || inputs[1] == nullptr || !take_sizes(product, inputs[1]->shape()) ||
      !are_parameters(product, inputs))
    return std::nullopt;
  product.impl = &kernels::int8_conv_ref();  // weights as they are stored
  const auto maker = std::make_shared<const ParameterMaker>(product, inputs);
  const bool at_once = inputs[1]->in_memory();
  const Shape filters{product.filters()};
  Int8ParameterSet made;
  made.weight =
      made_parameter(maker, &ParameterMaker::write_weight, DType::int8, inputs[1]->shape(), at_once);
  made.scale = made_parameter(maker, &ParameterMaker::write_scale, DType::float32, filters, at_once);
  if (product.bias || product.batch_norm)
    made.bias = made_parameter(maker, &ParameterMaker::write_bias, DType::int32, filters, at_once);
  return made;
}

std::optional<ValueRange> parameter_range(const ParameterInputs& inputs, std::size_t i) {
  if (!is_range(inputs, i)) return std::nullopt;
  return ValueRange{*inputs[i]->value()->data<float>(), *inputs[i + 1]->value()->data<float>()};
}

}  // namespace mxinfer::ops
