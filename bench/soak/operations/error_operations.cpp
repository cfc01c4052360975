#include "soak/operations/error_operations.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace mxinfer::soak {
namespace {

template <typename Call>
void must_fail(Hands& hands, ErrorCode expected, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    // The queue comes first: it may have no room for a call that would have failed.
    if (error.code() != expected) return hands.count(error);
    return hands.count(Ending::failed);
  }
  throw std::logic_error("it must fail, and did not");
}

/// Four channels, where the network has weights for three.
TensorView four_channels(Hands& hands) {
  return hands.stage().image_input({1, 4, 20, 20});
}

}  // namespace

void wrong_shape(Hands& hands) {
  const Predictors& predictors = hands.predictors();
  must_fail(hands, ErrorCode::invalid_argument,
            [&] { (void)predictors.any_size.predict({four_channels(hands)}); });
  must_fail(hands, ErrorCode::invalid_argument, [&] { (void)predictors.digits.predict(TensorViews{}); });
}

void wrong_shape_async(Hands& hands) {
  const Predictor& predictor = hands.predictors().any_size;
  must_fail(hands, ErrorCode::invalid_argument,
            [&] { (void)predictor.predict_async({four_channels(hands)}).get(); });
}

void wrong_image(Hands& hands) {
  const ImageClassifier& classifier = hands.predictors().digits;
  const Span<const std::byte> jpeg(hands.stage().digit_jpeg());
  must_fail(hands, ErrorCode::malformed, [&] { (void)classifier.classify_bytes(std::string("no image")); });
  must_fail(hands, ErrorCode::malformed,
            [&] { (void)classifier.classify_bytes(ByteSpan(jpeg.data(), jpeg.size() / 2)); });
}

void wrong_model(Hands& hands) {
  must_fail(hands, ErrorCode::not_found, [] { (void)Model::load(MXINFER_SOURCE_DIR "/models/none"); });
  must_fail(hands, ErrorCode::malformed,
            [] { (void)Model::load_memory(std::string_view(R"({"nodes": [)"), {}); });
}

}  // namespace mxinfer::soak
