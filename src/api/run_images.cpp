#include "api/run_images.h"

#include <algorithm>

#include "api/predictor_call.h"
#include "api/predictor_impl.h"

namespace mxinfer::api {

runtime::BatchRunner& batch_runner(const Predictor& predictor) {
  return PredictorAccess::impl(predictor).batch_runner;
}

ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options) {
  auto& impl = PredictorAccess::impl(predictor);
  return {predictor.model(), options, impl.planner.options(), impl.memory};
}

std::vector<Tensor> run_images(const Predictor& predictor, const ImageFeed& feed, Span<const Image> images,
                               std::vector<ItemError>* errors) {
  return as_call(predictor, [&] {
    if (feed.entry().model_resizes) return predictor.predict_list(feed.items(images).views, errors);
    return predictor.predict(
        {feed.preprocess(predictor.model(), images, batch_runner(predictor), errors).view()});
  });
}

void take_images(const Predictor& predictor, std::shared_ptr<const ImageFeed> feed) {
  auto& impl = PredictorAccess::impl(predictor);
  impl.usual_shapes = feed->network_shapes(predictor.model());
  impl.feed = std::move(feed);
}

void warm_up_with_image(const Predictor& predictor) {
  const ImageFeed& feed = *PredictorAccess::impl(predictor).feed;
  const Image image = feed.blank_image(predictor.input_shapes()[0].second);
  (void)run_images(predictor, feed, {&image, 1}, nullptr);
}

void renumber(std::vector<ItemError>& errors, std::size_t first, std::size_t second,
              const std::vector<std::size_t>& positions) {
  for (std::size_t i = second; i < errors.size(); ++i) errors[i].item = positions[errors[i].item];
  std::sort(errors.begin() + static_cast<std::ptrdiff_t>(first), errors.end(),
            [](const ItemError& a, const ItemError& b) { return a.item < b.item; });
}

}  // namespace mxinfer::api
