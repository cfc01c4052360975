#include "passes/quantized_dtypes.h"

#include <algorithm>

#include "ops/is_op.h"
#include "ops/quantized/int8_product.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using ops::is_op;
using DTypes = std::vector<std::optional<DType>>;

/// int8 if one of the first `count` is.
std::optional<DType> joined_dtype(const DTypes& inputs, std::size_t count) {
  if (count > inputs.size()) return std::nullopt;
  const auto end = inputs.begin() + static_cast<std::ptrdiff_t>(count);
  if (std::find(inputs.begin(), end, std::nullopt) != end) return std::nullopt;
  return std::find(inputs.begin(), end, DType::int8) != end ? DType::int8 : DType::uint8;
}

std::optional<DType> of_fused(const Node& node) {
  if (!node.attrs.flag("quantized")) return std::nullopt;
  // The dtype of the data does not matter.
  return is_op(node, "_sg_mkldnn_conv") ? ops::fused_convolution_product(node.attrs, DType::uint8).output
                                        : ops::fused_rows_product(node.attrs, DType::uint8).output;
}

}  // namespace

std::optional<DType> quantized_dtype(const Node& node, const DTypes& inputs) {
  if (is_op(node, "_contrib_dequantize")) return DType::float32;
  if (is_op(node, "_contrib_quantize_v2") || is_op(node, "_contrib_requantize"))
    return ops::quantized_dtype(node.attrs);
  if (is_op(node, "_sg_mkldnn_conv") || is_op(node, "_sg_mkldnn_fully_connected")) return of_fused(node);
  if (is_op(node, "_contrib_quantized_conv") || is_op(node, "_contrib_quantized_fully_connected"))
    return DType::int32;
  if (is_op(node, "_contrib_quantized_act") || is_op(node, "_contrib_quantized_batch_norm"))
    return DType::int8;
  if (is_op(node, "_contrib_quantized_concat"))
    return joined_dtype(inputs, static_cast<std::size_t>(node.attrs.integer("num_args")));
  if (is_op(node, "_contrib_quantized_elemwise_add"))
    return ops::calibrated_range(node.attrs) ? joined_dtype(inputs, 2) : DType::int32;
  const bool keeps = is_op(node, "_contrib_quantized_pooling") || is_op(node, "_contrib_quantized_flatten");
  return keeps && !inputs.empty() ? inputs[0] : std::nullopt;
}

}  // namespace mxinfer::passes
