// Turns a network's outputs into named classes.
#pragma once

#include <mxinfer/classifier.h>

#include <optional>
#include <vector>

namespace mxinfer::api {

/// One list for each sample, as Classifier::classify describes it. With an activation the scores are changed
/// in place.
struct Ranking {
  std::optional<int> top_k{};
  Activation activation = Activation::none;
  std::optional<float> min_score{};
};
std::vector<std::vector<Classification>> classify_outputs(const Model& model, std::vector<Tensor>& outputs,
                                                          const Ranking& ranking);

/// The result for an array that must hold one sample. Throws Error(invalid_argument) if it held another
/// number of samples.
std::vector<Classification> only_sample(const Model& model, std::vector<std::vector<Classification>> samples,
                                        std::size_t elements);

/// Checks that are possible before the first call: throws Error(invalid_argument) if the number of labels
/// differs from that of the classes.
void check_labels(const Model& model);

/// Throws Error(invalid_argument) if the model already applies one.
void check_activation(const Model& model, Activation activation);

/// Throws Error(invalid_argument) for a count below 1.
void check_top_k(std::optional<int> top_k);

}  // namespace mxinfer::api
