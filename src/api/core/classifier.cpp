#include <mxinfer/classifier.h>

#include "api/core/classify_outputs.h"
#include "api/core/run_images.h"
#include "base/fail.h"

namespace mxinfer {

Classifier::Classifier(const Model& model, const ClassifierOptions& options) try
    : Predictor(model, options.options), activation_(options.activation), min_score_(options.min_score) {
  api::check_labels(model);
  api::check_activation(model, activation_);
} catch (...) {
  throw_as_error();
}

Classifier::Classifier(const std::string& uri, const ClassifierOptions& options, const LoadOptions& load) try
    : Classifier(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

Classifier::Classifier(const Classifier&) noexcept = default;
Classifier& Classifier::operator=(const Classifier&) noexcept = default;
Classifier::~Classifier() = default;

std::vector<std::vector<Classification>> Classifier::rank(std::vector<Tensor> outputs,
                                                          std::optional<int> top_k) const {
  return api::classify_outputs(model(), outputs, {top_k, activation_, min_score_});
}

std::vector<Classification> Classifier::classify(Span<const float> sample, std::optional<int> top_k) const
    try {
  api::check_top_k(top_k);
  const std::vector<TensorView> rows = shape_flat<float>({sample});
  return api::only_sample(model(), rank(api::predict_rows(*this, rows), top_k), sample.size());
} catch (...) {
  throw_as_error();
}

std::vector<std::vector<Classification>> Classifier::classify_batch(const TensorView& batch,
                                                                    std::optional<int> top_k) const try {
  api::check_top_k(top_k);
  return rank(api::predict_rows(*this, {&batch, 1}), top_k);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
