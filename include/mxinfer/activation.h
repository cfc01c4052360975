// Activation: the function that turns a network's last values into scores.
//
//   mxinfer::ClassifierOptions options;
//   options.activation = mxinfer::Activation::softmax;       // Gluon's networks end in logits
//   mxinfer::Classifier classifier("resnet18_v1", options);
#pragma once

#include <mxinfer/export.h>

#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Computes scores from the values x of a sample.
enum class Activation {
  none,     ///< scores are the values of the model
  softmax,  ///< exp(x - max) / sum over the classes: a sample has exactly one class
  sigmoid,  ///< 1 / (1 + exp(-x)) for each class: a sample has any number of classes
};

/// Returns "none", "softmax" or "sigmoid".
[[nodiscard]] MXINFER_API const char* to_string(Activation activation) noexcept;
/// Returns the value with that name. Throws Error(invalid_argument), which lists the names, if there is none.
[[nodiscard]] MXINFER_API Activation parse_activation(std::string_view name);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
