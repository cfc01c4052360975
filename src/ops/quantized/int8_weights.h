// The weights, bias and scales of a product of 8-bit data, from the parameters that files hold: float32 ones,
// with a batch norm folded in, or int8 ones with their range. They are made once if everything they follow
// from is known when the plan is made, and otherwise in every run.
//
//   const Int8WeightLayout layout(product);
//   make_int8_weights(product, parameters, block);                // layout.bytes bytes
//   layout.at<float>(block, layout.scale_at)                      // those of the sums, by filter
#pragma once

#include "ops/quantized/int8_product.h"

namespace mxinfer::ops {

/// Where the parameters of a product are, and the ranges that they follow from.
struct Int8Parameters {
  TensorView weight{};
  const void* bias = nullptr;
  DType bias_dtype = DType::float32;
  const float* batch_norm[4] = {};  ///< gamma, beta, mean, variance; null without one
  ValueRange data{}, weight_range{}, bias_range{};
};

/// A block: a header, and arrays behind it.
struct Int8WeightLayout {
  explicit Int8WeightLayout(const Int8Product& product);

  /// Weights are made as they are stored, and then packed by the implementation if it packs.
  std::size_t scale_at = 0, bias_at = 0, float_bias_at = 0, factor_at = 0, stored_at = 0, weight_at = 0;
  std::size_t bytes = 0;

  struct Header {
    ValueRange weight_range;  ///< of the weights as floats, for the range of sums
    float weight_scale = 1;   ///< of the first filter
  };
  static Header& header(std::byte* block) { return *reinterpret_cast<Header*>(block); }
  static const Header& header(const std::byte* block) { return *reinterpret_cast<const Header*>(block); }

  template <typename T>
  static T* at(std::byte* block, std::size_t offset) {
    return reinterpret_cast<T*>(block + offset);
  }
  template <typename T>
  static const T* at(const std::byte* block, std::size_t offset) {
    return reinterpret_cast<const T*>(block + offset);
  }
};

/// Those of a product, but its weight and the dtype of its bias, from `at`: a function from the index of an
/// input to its elements.
template <typename At>
Int8Parameters parameters_at(const Int8Product& product, const At& at) {
  const auto number = [&](std::size_t i) { return *static_cast<const float*>(at(i)); };
  const auto range = [&](std::size_t i) { return ValueRange{number(i), number(i + 1)}; };
  Int8Parameters given;
  given.data = range(product.data_range);
  if (product.weight_range) given.weight_range = range(*product.weight_range);
  if (product.bias_range) given.bias_range = range(*product.bias_range);
  if (product.bias) given.bias = at(*product.bias);
  for (std::size_t i = 0; product.batch_norm && i < 4; ++i)
    given.batch_norm[i] = static_cast<const float*>(at(*product.batch_norm + i));
  return given;
}

void make_int8_weights(const Int8Product& product, const Int8Parameters& given, std::byte* block);
/// Makes the scales and biases of a block alone, if that takes less time.
void make_int8_scales(const Int8Product& product, const Int8Parameters& given, std::byte* block);

}  // namespace mxinfer::ops
