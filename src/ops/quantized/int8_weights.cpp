#include "ops/quantized/int8_weights.h"

#include <cmath>

#include "kernels/int8/rounding.h"
#include "ops/common/scratch_layout.h"
#include "ops/quantized/elements.h"

namespace mxinfer::ops {
namespace {

using kernels::saturate;

/// MXNet keeps biases below half of the largest int32.
constexpr float kLargestBias = 1073741824.0F;

/// Float parameters, with a batch norm folded in as MXNet folds it.
class FloatWeights {
 public:
  FloatWeights(const Int8Product& product, const Int8Parameters& given, std::byte* block)
      : product_(product), given_(given), layout_(product), block_(block) {}

  void make_scales() {
    fold_batch_norm();
    scale_filters();
    quantize_bias(product_scale(product_.data, given_.data));
  }
  void make() {
    make_scales();
    quantize_weights();
  }

 private:
  std::int64_t depth() const { return product_.problem.depth(); }
  float* factors() const { return layout_.at<float>(block_, layout_.factor_at); }
  float* biases() const { return layout_.at<float>(block_, layout_.float_bias_at); }
  float* scales() const { return layout_.at<float>(block_, layout_.scale_at); }
  bool has_bias() const { return product_.bias || product_.batch_norm; }

  void fold_batch_norm() {
    const auto* bias = static_cast<const float*>(given_.bias);
    for (std::int64_t m = 0; m < product_.filters(); ++m) {
      factors()[m] = 1.0F;
      biases()[m] = bias != nullptr ? bias[m] : 0.0F;
      if (!product_.batch_norm) continue;
      const auto& [gamma, beta, mean, variance] = given_.batch_norm;
      const double scale = product_.fix_gamma ? 1.0 : gamma[m];
      factors()[m] = static_cast<float>(scale / std::sqrt(static_cast<double>(variance[m]) + product_.eps));
      biases()[m] = beta[m] + factors()[m] * (biases()[m] - mean[m]);
    }
  }

  ValueRange range_of_filter(std::int64_t m) const {
    const auto [min, max] = extremes(given_.weight.data<float>() + m * depth(), depth());
    const float a = min * factors()[m], b = max * factors()[m];
    return {std::min(a, b), std::max(a, b)};
  }

  /// A large bias bounds the scale, so that it fits its 32 bits.
  float bounded(float scale, std::int64_t m) const {
    const float bias = biases()[m];
    if (!has_bias() || bias == 0) return scale;
    const float data_scale = product_scale(product_.data, given_.data);
    return std::min(scale, (bias > 0 ? kLargestBias : -kLargestBias) / bias / data_scale);
  }

  void scale_filters() {
    ValueRange all{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (std::int64_t m = 0; m < product_.filters(); ++m) {
      const ValueRange range = range_of_filter(m);
      all = {std::min(all.min, range.min), std::max(all.max, range.max)};
      scales()[m] = bounded(product_scale(DType::int8, range), m);
    }
    if (!product_.scale_per_filter)
      std::fill_n(scales(), product_.filters(), product_scale(DType::int8, all));
    Int8WeightLayout::header(block_) = {all, scales()[0]};
  }

  void quantize_weights() {
    auto* to = layout_.at<std::int8_t>(block_, layout_.stored_at);
    const float* from = given_.weight.data<float>();
    for (std::int64_t m = 0; m < product_.filters(); ++m) {
      // Of several groups, MXNet scales all filters of the first by the scale of filter 0, those of the
      // second by that of filter 1, and so on.
      const bool grouped = product_.problem.groups > 1;
      const float scale = scales()[grouped ? m / product_.problem.group_filters() : m];
      for (std::int64_t i = m * depth(); i < (m + 1) * depth(); ++i)
        to[i] = saturate<std::int8_t>(from[i] * factors()[m] * scale);
    }
  }

  void quantize_bias(float data_scale) {
    auto* to = layout_.at<std::int32_t>(block_, layout_.bias_at);
    for (std::int64_t m = 0; m < product_.filters(); ++m)
      to[m] = saturate<std::int32_t>(biases()[m] * (scales()[m] * data_scale));
  }

  const Int8Product& product_;
  const Int8Parameters& given_;
  Int8WeightLayout layout_;
  std::byte* block_;
};

/// int8 parameters of one range each.
class Int8Weights {
 public:
  Int8Weights(const Int8Product& product, const Int8Parameters& given, std::byte* block)
      : product_(product), given_(given), layout_(product), block_(block) {}

  void make() {
    weight_scale_ = product_scale(DType::int8, given_.weight_range);
    std::copy_n(given_.weight.data<std::int8_t>(), product_.problem.weight_elements(), weights());
    std::fill_n(biases(), product_.filters(), 0);
    if (given_.bias != nullptr) make_bias();
    std::fill_n(layout_.at<float>(block_, layout_.scale_at), product_.filters(), weight_scale_);
    Int8WeightLayout::header(block_) = {given_.weight_range, weight_scale_};
  }

 private:
  std::int8_t* weights() const { return layout_.at<std::int8_t>(block_, layout_.stored_at); }
  std::int32_t* biases() const { return layout_.at<std::int32_t>(block_, layout_.bias_at); }

  void make_bias() {
    if (given_.bias_dtype == DType::int32) {
      std::copy_n(static_cast<const std::int32_t*>(given_.bias), product_.filters(), biases());
      return;
    }
    const float factor = bias_factor();
    for (std::int64_t m = 0; m < product_.filters(); ++m) {
      const float bias = static_cast<float>(static_cast<const std::int8_t*>(given_.bias)[m]) * factor;
      biases()[m] = saturate<std::int32_t>(product_.truncates_bias ? std::trunc(bias) : std::round(bias));
    }
  }

  /// What one step of the bias is in steps of the sums. If biases would need more than 31 bits, the weights
  /// become smaller instead.
  float bias_factor() {
    if (product_.is_unscaled) return 1.0F;
    const float data_scale = product_scale(product_.data, given_.data);
    const float largest = given_.bias_range.largest();
    if (product_.truncates_bias) return data_scale * weight_scale_ * largest / kInt8Range;
    const float bias_scale = product_scale(DType::int8, given_.bias_range);
    const float factor = data_scale * weight_scale_ / bias_scale;
    const float most = kLargestBias / largest / bias_scale;
    if (!(factor > most)) return factor;
    const float smaller = most * bias_scale / data_scale / weight_scale_;
    for (std::int64_t i = 0; i < product_.problem.weight_elements(); ++i)
      weights()[i] = saturate<std::int8_t>(std::round(static_cast<float>(weights()[i]) * smaller));
    weight_scale_ *= smaller;
    return most;
  }

  const Int8Product& product_;
  const Int8Parameters& given_;
  Int8WeightLayout layout_;
  std::byte* block_;
  float weight_scale_ = 1;
};

/// The scales of filters become those of their sums.
void requantize_scales(const Int8Product& product, const ValueRange& data, float* scales) {
  if (!product.requantizes()) return;
  const float data_scale = product_scale(product.data, data);
  // The float32 output of a calibrated layer is in steps, too.
  const bool in_steps = product.calibrated && !product.activates_reals;
  const float out = in_steps ? product_scale(product.output, *product.calibrated) : 1.0F;
  for (std::int64_t m = 0; m < product.filters(); ++m) scales[m] = out / data_scale / scales[m];
}

}  // namespace

Int8WeightLayout::Int8WeightLayout(const Int8Product& product) {
  const std::int64_t filters = product.filters();
  ScratchLayout layout(sizeof(Header));
  scale_at = layout.take<float>(filters);
  bias_at = layout.take<std::int32_t>(filters);
  float_bias_at = layout.take<float>(filters);
  factor_at = layout.take<float>(filters);
  stored_at = weight_at = layout.take<std::int8_t>(product.problem.weight_elements());
  if (product.impl->pack != nullptr) {
    const std::size_t packed = product.impl->packed_bytes(product.problem, int8_type(product.data));
    weight_at = layout.take<std::byte>(static_cast<std::int64_t>(packed));
  }
  bytes = layout.bytes();
}

void make_int8_weights(const Int8Product& product, const Int8Parameters& given, std::byte* block) {
  if (given.weight.dtype() == DType::int8) {
    Int8Weights(product, given, block).make();
  } else {
    FloatWeights(product, given, block).make();
  }
  const Int8WeightLayout layout(product);
  if (product.impl->pack != nullptr) {
    product.impl->pack(product.problem, int8_type(product.data),
                       layout.at<std::int8_t>(block, layout.stored_at), block + layout.weight_at);
  }
  requantize_scales(product, given.data, layout.at<float>(block, layout.scale_at));
}

void make_int8_scales(const Int8Product& product, const Int8Parameters& given, std::byte* block) {
  // A large bias changes weights that are int8 already.
  if (given.weight.dtype() == DType::int8) return make_int8_weights(product, given, block);
  FloatWeights(product, given, block).make_scales();
  const Int8WeightLayout layout(product);
  requantize_scales(product, given.data, layout.at<float>(block, layout.scale_at));
}

}  // namespace mxinfer::ops
