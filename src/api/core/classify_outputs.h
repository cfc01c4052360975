// From a network's outputs to classes with names.
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

/// The list of the one sample that an array of so many elements is to be. Throws Error(invalid_argument) if
/// it was another number of samples.
std::vector<Classification> only_sample(const Model& model, std::vector<std::vector<Classification>> samples,
                                        std::size_t elements);

/// What can be known before the first call: throws Error(invalid_argument) if there are more or fewer
/// labels than classes.
void check_labels(const Model& model);

/// Throws Error(invalid_argument) if the model has applied one already.
void check_activation(const Model& model, Activation activation);

/// Throws Error(invalid_argument) for a count below 1.
void check_top_k(std::optional<int> top_k);

}  // namespace mxinfer::api
