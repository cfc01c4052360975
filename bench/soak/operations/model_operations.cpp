#include "soak/operations/model_operations.h"

#include <optional>
#include <utility>
#include <vector>

#include "soak/networks.h"

namespace mxinfer::soak {

namespace {

Options with_threads(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

}  // namespace

void make_predictors_at_once(const Stage& stage, int threads) {
  std::vector<Predictor> predictors;
  for (const int of_each : {0, 1, 2}) {
    for (int i = 0; i < threads; ++i) {
      predictors.emplace_back(stage.any_size(), with_threads(of_each));
      (void)predictors.back().predict({stage.image_input(image_shapes()[0])});
    }
  }
}

void make_predictor(Hands& hands) {
  const Predictor predictor(hands.stage().any_size(), with_threads(hands.one_in(2) ? 1 : 2));
  (void)predictor.predict({hands.image()});
  hands.count(Ending::done);
}

void destroy_in_flight(Hands& hands) {
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  {
    const Predictor predictor(hands.stage().any_size());
    for (int i = 0; i < 6; ++i) predictions.push_back(predictor.predict_async({hands.image()}));
  }
  for (auto& prediction : predictions) {
    try {
      (void)prediction.get();
      hands.count(Ending::done);
    } catch (const Error& error) {
      hands.count(error);
    }
  }
}

void load_and_free(Hands& hands) {
  const Predictor predictor(load_digits());
  (void)predictor.predict({hands.stage().digits_input(1)});
  hands.count(Ending::done);
}

void replace(Hands& hands) {
  hands.stage().replace();
  hands.count(Ending::done);
}

void trim(Hands& hands) {
  const Predictors& predictors = hands.predictors();
  (void)predictors.any_size.trim();
  (void)predictors.digits.trim();
  hands.count(Ending::done);
}

}  // namespace mxinfer::soak
