// PostOps: what a kernel does to a sum, bias included, before it stores it. A pass fuses them into a node of
// the graph, whose kernel gets them unchanged.
//
//   dst = activation(sum + residual)
//
// Each kernel adds bias and residual itself, in its own layout; this header has the activations. They pass
// NaN on.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// A function of one element.
enum class Activation : std::uint8_t {
  none,          ///< x
  relu,          ///< max(x, 0)
  sigmoid,       ///< 1 / (1 + exp(-x))
  tanh,          ///< tanh(x)
  softrelu,      ///< log(1 + exp(x))
  softsign,      ///< x / (1 + |x|)
  clip,          ///< min(max(x, alpha), beta)
  leaky,         ///< x > 0 ? x : alpha * x
  elu,           ///< x > 0 ? x : alpha * (exp(x) - 1)
  gelu_erf,      ///< x / 2 * (1 + erf(x / sqrt(2)))
  swish,         ///< x / (1 + exp(-x))
  hard_sigmoid,  ///< min(max(alpha * x + beta, 0), 1)
  hard_swish,    ///< x * min(max(x + 3, 0), 6) / 6
  mish,          ///< x * tanh(log(1 + exp(x)))
  gelu_tanh,     ///< x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
  prelu          ///< x > 0 ? x : slopes[channel] * x; kernels with `slopes` apply it themselves
};

struct PostOps {
  Activation activation = Activation::none;
  float alpha = 0.0f;     ///< clip: lower bound; leaky, elu: slope; hard_sigmoid: factor
  float beta = 0.0f;      ///< clip: upper bound; hard_sigmoid: addend
  bool residual = false;  ///< whether a node has a residual; kernels take its address, or null

  bool empty() const { return activation == Activation::none && !residual; }
  /// The number of inputs of a node behind the operator's own: PReLU slopes, then the residual.
  std::size_t inputs() const { return (activation == Activation::prelu ? 1u : 0u) + (residual ? 1u : 0u); }
};

/// Whether an activation is at most a comparison and a multiplication, which vector code applies in
/// registers.
constexpr bool is_piecewise_linear(Activation activation) {
  return activation == Activation::none || activation == Activation::relu || activation == Activation::clip ||
         activation == Activation::leaky || activation == Activation::prelu;
}

/// The definition of every activation, for float and double.
template <typename T>
T activate(const PostOps& post_ops, T x) {
  const T alpha = static_cast<T>(post_ops.alpha);
  const T beta = static_cast<T>(post_ops.beta);
  switch (post_ops.activation) {
    case Activation::none:
    case Activation::prelu:
      return x;
    case Activation::relu:
      return x < T(0) ? T(0) : x;
    case Activation::sigmoid:
      return T(1) / (T(1) + std::exp(-x));
    case Activation::tanh:
      return std::tanh(x);
    case Activation::softrelu:
      return x > T(20) ? x : std::log1p(std::exp(x));
    case Activation::softsign:
      return x / (T(1) + std::abs(x));
    case Activation::clip:
      return x < alpha ? alpha : (x > beta ? beta : x);
    case Activation::leaky:
      return x > T(0) ? x : alpha * x;
    case Activation::elu:
      return x > T(0) ? x : alpha * std::expm1(x);
    case Activation::gelu_erf:
      return x * T(0.5) * (T(1) + std::erf(x * T(0.70710678118654752440)));
    case Activation::swish:
      return x / (T(1) + std::exp(-x));
    case Activation::hard_sigmoid: {
      const T y = alpha * x + beta;
      return y < T(0) ? T(0) : (y > T(1) ? T(1) : y);
    }
    case Activation::hard_swish: {
      const T y = x + T(3);
      return x * (y < T(0) ? T(0) : (y > T(6) ? T(6) : y)) / T(6);
    }
    case Activation::mish:
      return x * std::tanh(x > T(20) ? x : std::log1p(std::exp(x)));
    case Activation::gelu_tanh:
      return x * T(0.5) * (T(1) + std::tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
  }
  return x;
}

/// Applies the activation to `count` elements in place.
template <typename T>
void activate_span(const PostOps& post_ops, T* data, std::int64_t count) {
  if (post_ops.activation == Activation::none) return;
  for (std::int64_t i = 0; i < count; ++i) data[i] = activate(post_ops, data[i]);
}

}  // namespace mxinfer::kernels
