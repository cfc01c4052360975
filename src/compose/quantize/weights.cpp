#include "compose/quantize/weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/int8/rounding.h"

namespace mxinfer::api {
namespace {

constexpr float kLevels = 127;
// Leaves room for the sum of products, in 32 bits.
constexpr double kMostBias = 1 << 30;

float magnitude_of(const float* values, std::int64_t count) {
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

// A filter that is small beside its bias takes larger steps, so that the bias fits.
float step_of(float largest_weight, float bias, float data_step) {
  const double for_bias = std::abs(static_cast<double>(bias)) / (kMostBias * static_cast<double>(data_step));
  const float step = std::max(largest_weight / kLevels, static_cast<float>(for_bias));
  return step >= std::numeric_limits<float>::min() ? step : 1.0f;
}

void quantize_filter(const float* from, std::int64_t count, float step, std::int8_t* to) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = std::max<std::int8_t>(kernels::saturate<std::int8_t>(from[i] / step), -127);
}

std::int32_t bias_steps(float bias, float step) {
  const double steps = std::nearbyint(static_cast<double>(bias) / static_cast<double>(step));
  return static_cast<std::int32_t>(std::clamp(steps, -kMostBias, kMostBias));
}

}  // namespace

EightBitWeights quantize_weights(const Parameter& weight, const Parameter* bias, float data_step) {
  const auto values = weight.value();
  const auto biases = bias == nullptr ? nullptr : bias->value();
  const std::int64_t filters = weight.shape()[0], each = weight.elements() / filters;
  EightBitWeights made;
  made.weight = Tensor::uninitialized(DType::int8, weight.shape());
  if (bias != nullptr) made.bias = Tensor::uninitialized(DType::int32, {filters});
  for (std::int64_t m = 0; m < filters; ++m) {
    const float* filter = values->data<float>() + m * each;
    const float b = biases == nullptr ? 0.0f : biases->data<float>()[m];
    const float step = step_of(magnitude_of(filter, each), b, data_step);
    made.steps.push_back(step);
    quantize_filter(filter, each, step, made.weight.data<std::int8_t>() + m * each);
    if (bias != nullptr) made.bias.data<std::int32_t>()[m] = bias_steps(b, step * data_step);
  }
  return made;
}

}  // namespace mxinfer::api
