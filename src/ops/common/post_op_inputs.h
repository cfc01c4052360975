// Which inputs of a node its post-ops read: behind the operator's own, the slopes of inner post-ops, then
// those of the last ones, then the residual.
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The input that is added before the activation, if a pass has fused one.
inline std::optional<std::size_t> residual_input(const LowerContext& context) {
  if (!context.post_ops().residual) return std::nullopt;
  return context.num_inputs() - 1;
}

/// Input i as slopes of so many channels.
inline std::size_t checked_slopes(const LowerContext& context, std::size_t i, std::int64_t channels) {
  if (!(context.input(i) == TensorType{DType::float32, Shape{channels}}))
    fail(ErrorCode::internal, "slopes are ", to_string(context.input(i)), ", for ", channels, " channels");
  return i;
}

/// The slopes of the last activation, if it is prelu.
inline std::optional<std::size_t> slopes_input(const LowerContext& context, std::int64_t channels) {
  const graph::PostOps& post_ops = context.post_ops();
  if (post_ops.activation != graph::Activation::prelu) return std::nullopt;
  return checked_slopes(context, context.num_inputs() - post_ops.inputs(), channels);
}

/// What follows convolution k of a fused operator: nothing, if nothing was fused behind it.
inline graph::PostOps inner_post_ops(const LowerContext& context, std::size_t k) {
  const std::vector<graph::PostOps>& inner = context.node().inner_post_ops;
  return k < inner.size() ? inner[k] : graph::PostOps{};
}

inline std::optional<std::size_t> inner_slopes_input(const LowerContext& context, std::size_t k,
                                                     std::int64_t channels) {
  if (inner_post_ops(context, k).activation != graph::Activation::prelu) return std::nullopt;
  std::size_t i = context.num_inputs() - graph::post_op_inputs(context.node());
  for (std::size_t before = 0; before < k; ++before) i += inner_post_ops(context, before).inputs();
  return checked_slopes(context, i, channels);
}

}  // namespace mxinfer::ops
