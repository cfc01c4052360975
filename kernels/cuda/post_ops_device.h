// The activations of post_ops.h as device functions of floats: the same formulas. They pass NaN on.
//
//   dst[i] = activate(post_ops, sum);            // one that the launch gives
//   dst[i] = activate<Activation::relu>(post_ops, sum);
#pragma once

#include "kernels/common/post_ops.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// An activation that the compiler knows.
template <Activation kActivation>
__device__ __forceinline__ float activate(const PostOps& post_ops, float x) {
  const float alpha = post_ops.alpha, beta = post_ops.beta;
  switch (kActivation) {
    case Activation::none:
    case Activation::prelu:
      return x;
    case Activation::relu:
      return x < 0.0f ? 0.0f : x;
    case Activation::sigmoid:
      return 1.0f / (1.0f + expf(-x));
    case Activation::tanh:
      return tanhf(x);
    case Activation::softrelu:
      return x > 20.0f ? x : log1pf(expf(x));
    case Activation::softsign:
      return x / (1.0f + fabsf(x));
    case Activation::clip:
      return x < alpha ? alpha : (x > beta ? beta : x);
    case Activation::leaky:
      return x > 0.0f ? x : alpha * x;
    case Activation::elu:
      return x > 0.0f ? x : alpha * expm1f(x);
    case Activation::gelu_erf:
      return x * 0.5f * (1.0f + erff(x * 0.70710678118654752440f));
    case Activation::swish:
      return x / (1.0f + expf(-x));
    case Activation::hard_sigmoid: {
      const float y = alpha * x + beta;
      return y < 0.0f ? 0.0f : (y > 1.0f ? 1.0f : y);
    }
    case Activation::hard_swish: {
      const float y = x + 3.0f;
      return x * (y < 0.0f ? 0.0f : (y > 6.0f ? 6.0f : y)) / 6.0f;
    }
    case Activation::mish:
      return x * tanhf(x > 20.0f ? x : log1pf(expf(x)));
    case Activation::gelu_tanh:
      return x * 0.5f * (1.0f + tanhf(0.79788456080286535588f * (x + 0.044715f * x * x * x)));
  }
  return x;
}

/// The one of post_ops if it is a comparison and a multiplication (is_piecewise_linear, but for PReLU);
/// others leave x as it is.
__device__ __forceinline__ float activate_linear(const PostOps& post_ops, float x) {
  switch (post_ops.activation) {
    case Activation::relu:
      return activate<Activation::relu>(post_ops, x);
    case Activation::clip:
      return activate<Activation::clip>(post_ops, x);
    case Activation::leaky:
      return activate<Activation::leaky>(post_ops, x);
    default:
      return x;
  }
}

/// The one of post_ops; all threads of a warp take the same branch.
__device__ inline float activate(const PostOps& post_ops, float x) {
  switch (post_ops.activation) {
    case Activation::none:
    case Activation::prelu:
      return x;
    case Activation::relu:
      return activate<Activation::relu>(post_ops, x);
    case Activation::sigmoid:
      return activate<Activation::sigmoid>(post_ops, x);
    case Activation::tanh:
      return activate<Activation::tanh>(post_ops, x);
    case Activation::softrelu:
      return activate<Activation::softrelu>(post_ops, x);
    case Activation::softsign:
      return activate<Activation::softsign>(post_ops, x);
    case Activation::clip:
      return activate<Activation::clip>(post_ops, x);
    case Activation::leaky:
      return activate<Activation::leaky>(post_ops, x);
    case Activation::elu:
      return activate<Activation::elu>(post_ops, x);
    case Activation::gelu_erf:
      return activate<Activation::gelu_erf>(post_ops, x);
    case Activation::swish:
      return activate<Activation::swish>(post_ops, x);
    case Activation::hard_sigmoid:
      return activate<Activation::hard_sigmoid>(post_ops, x);
    case Activation::hard_swish:
      return activate<Activation::hard_swish>(post_ops, x);
    case Activation::mish:
      return activate<Activation::mish>(post_ops, x);
    case Activation::gelu_tanh:
      return activate<Activation::gelu_tanh>(post_ops, x);
  }
  return x;
}

}  // namespace mxinfer::kernels::cuda
