// From what a pass fused behind a node (graph::Epilogue) to what a kernel applies (kernels::Epilogue).
#pragma once

#include <optional>

#include "kernels/common/epilogue.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

inline kernels::Epilogue kernel_epilogue(const graph::Epilogue& epilogue) {
  using From = graph::Activation;
  using To = kernels::Activation;
  static_assert(static_cast<int>(From::relu) == static_cast<int>(To::relu) &&
                    static_cast<int>(From::sigmoid) == static_cast<int>(To::sigmoid) &&
                    static_cast<int>(From::tanh) == static_cast<int>(To::tanh) &&
                    static_cast<int>(From::softrelu) == static_cast<int>(To::softrelu) &&
                    static_cast<int>(From::softsign) == static_cast<int>(To::softsign) &&
                    static_cast<int>(From::clip) == static_cast<int>(To::clip) &&
                    static_cast<int>(From::leaky) == static_cast<int>(To::leaky) &&
                    static_cast<int>(From::elu) == static_cast<int>(To::elu) &&
                    static_cast<int>(From::gelu_erf) == static_cast<int>(To::gelu_erf) &&
                    static_cast<int>(From::swish) == static_cast<int>(To::swish),
                "the two lists of activations are one list");
  return {static_cast<To>(epilogue.activation), epilogue.alpha, epilogue.beta};
}

/// The input that is added before the activation, where a pass has fused one.
inline std::optional<std::size_t> residual_input(const LowerContext& context) {
  if (!context.epilogue().residual) return std::nullopt;
  return context.num_inputs() - 1;
}

}  // namespace mxinfer::ops
