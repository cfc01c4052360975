#include "soak/operations/sync_operations.h"

namespace mxinfer::soak {

void predict(Hands& hands) {
  (void)hands.predictors().any_size.predict({hands.image()});
  hands.count(Ending::done);
}

void predict_into(Hands& hands) {
  const Shape& shape = hands.warm_shape();
  hands.predictors().any_size.predict_into({hands.stage().image_input(shape)}, {hands.scores(shape[0])});
  hands.count(Ending::done);
}

void predict_flat(Hands& hands) {
  const TensorView digits = hands.stage().digits_input(hands.digits_batch());
  const Span<const float> values(digits.data<float>(), static_cast<std::size_t>(digits.shape().elements()));
  (void)hands.predictors().digits.predict_flat<float>({values});
  hands.count(Ending::done);
}

void classify_batch(Hands& hands) {
  (void)hands.predictors().digits.classify_batch(hands.stage().digits_input(hands.digits_batch()), 3);
  hands.count(Ending::done);
}

void classify_bytes(Hands& hands) {
  (void)hands.predictors().digits.classify_bytes(hands.stage().digit_jpeg(), 3);
  hands.count(Ending::done);
}

}  // namespace mxinfer::soak
