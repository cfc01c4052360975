#include "soak/operations/async_operations.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace mxinfer::soak {
namespace {

using Outputs = std::vector<Tensor>;

template <typename T>
void take(Hands& hands, Prediction<T>& prediction) try {
  (void)prediction.get();
  hands.count(Ending::done);
} catch (const Error& error) {
  hands.count(error);
}

/// Nothing if the queue is full.
template <typename Submit>
auto submitted(Hands& hands, Submit&& submit) -> std::optional<decltype(submit())> try {
  return submit();
} catch (const Error& error) {
  hands.count(error);
  return std::nullopt;
}

template <typename Submit>
void submit_and_take(Hands& hands, Submit&& submit) {
  if (auto prediction = submitted(hands, submit)) take(hands, *prediction);
}

/// Up to `count` of them, as many as there is room for.
std::vector<Prediction<Outputs>> submit_many(Hands& hands, const Predictor& predictor, std::size_t count) {
  std::vector<Prediction<Outputs>> predictions;
  while (predictions.size() < count) {
    auto prediction = submitted(hands, [&] { return predictor.predict_async({hands.image()}); });
    if (!prediction) break;
    predictions.push_back(std::move(*prediction));
  }
  return predictions;
}

}  // namespace

void predict_async(Hands& hands) {
  for (auto& prediction : submit_many(hands, hands.predictors().any_size, 3)) take(hands, prediction);
}

void predict_into_async(Hands& hands) {
  const Shape& shape = hands.warm_shape();
  const Predictor& predictor = hands.predictors().any_size;
  submit_and_take(hands, [&] {
    return predictor.predict_into_async({hands.stage().image_input(shape)}, {hands.scores(shape[0])},
                                        {hands.one_in(4) ? Priority::high : Priority::normal});
  });
}

void classify_async(Hands& hands) {
  const float* const first = hands.stage().digits_input(1).data<float>();
  const ImageClassifier& classifier = hands.predictors().digits;
  submit_and_take(hands, [&] {
    return classifier.classify_async(std::vector<float>(first, first + digits_shape(1).elements()), 3);
  });
}

void classify_bytes_async(Hands& hands) {
  const ImageClassifier& classifier = hands.predictors().digits;
  submit_and_take(hands, [&] { return classifier.classify_bytes_async(hands.stage().digit_jpeg(), 3); });
}

void collect_completions(Hands& hands) {
  const Predictor& predictor = hands.predictors().any_size;
  CompletionQueue<Outputs> queue;
  std::size_t left = 0;
  for (auto& prediction : submit_many(hands, predictor, 4)) queue.add(left++, std::move(prediction));
  for (; left > 0; --left) take(hands, queue.next()->prediction);
}

void submit_to_a_queue_of_its_own(Hands& hands) {
  const Predictors& predictors = hands.predictors();
  const TensorView image = hands.image(), digits = hands.stage().digits_input(hands.digits_batch());
  std::atomic<int> called_back{0};
  RequestQueue queue(AsyncOptions{.max_in_flight = 8, .workers = 2});
  auto one = queue.submit([&] { return predictors.any_size.predict({image}); });
  auto other =
      queue.submit([&] { return predictors.digits.predict({digits}); },
                   [&](Prediction<Outputs> prediction) { called_back += prediction.ready() ? 1 : 0; });
  take(hands, one);
  // The handle of what has a callback: its result is the callback's.
  other.wait();
  hands.count(Ending::done);
}

void cancel(Hands& hands) {
  auto predictions = submit_many(hands, hands.predictors().any_size, 4);
  for (auto& prediction : predictions) (void)prediction.cancel();
  for (auto& prediction : predictions) take(hands, prediction);
}

void expire(Hands& hands) {
  const Predictor& predictor = hands.predictors().any_size;
  const auto soon = std::chrono::microseconds(hands.below(300));
  submit_and_take(hands, [&] {
    return predictor.predict_async({hands.image()}, {Priority::normal, deadline_after(soon)});
  });
}

void fill_the_queue(Hands& hands) {
  const Predictor& predictor = hands.predictors().any_size;
  const auto room = static_cast<std::size_t>(predictor.options().async.max_in_flight);
  for (auto& prediction : submit_many(hands, predictor, room + 1)) take(hands, prediction);
}

void abandon(Hands& hands) {
  const Predictor& predictor = hands.predictors().any_size;
  std::vector<Tensor> inputs;
  inputs.push_back(Tensor::copy_of(hands.image()));
  if (submitted(hands, [&] { return predictor.predict_async(std::move(inputs)); })) hands.count(Ending::done);
}

}  // namespace mxinfer::soak
