// From a network's outputs to classes with names.
#pragma once

#include <mxinfer/classifier.h>

#include <optional>
#include <vector>

namespace mxinfer::api {

/// One list for each sample, as Classifier::classify describes it.
std::vector<std::vector<Classification>> classify_outputs(const Model& model,
                                                          const std::vector<Tensor>& outputs,
                                                          std::optional<int> top_k);

/// Throws Error(invalid_argument) for a count below 1.
void check_top_k(std::optional<int> top_k);

}  // namespace mxinfer::api
