// Limits: an activation that only limits its operand, as two numbers that kernels keep in registers.
#pragma once

#include "kernels/common/post_ops.h"

namespace mxinfer::kernels {

/// min(max(x, low), high), which passes a NaN on.
struct Limits {
  bool exist = false;  ///< whether the activation is that
  float low = -HUGE_VALF, high = HUGE_VALF;
};

constexpr Limits limits_of(const PostOps& post_ops) {
  switch (post_ops.activation) {
    case Activation::none:
      return {true};
    case Activation::relu:
      return {true, 0.0f};
    case Activation::clip:
      return {true, post_ops.alpha, post_ops.beta};
    default:
      return {};
  }
}

}  // namespace mxinfer::kernels
