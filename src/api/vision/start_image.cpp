#include "api/vision/start_image.h"

#include <utility>
#include <vector>

#include "api/core/fixed_batches.h"
#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "base/fail.h"

namespace mxinfer::api {
namespace {

/// Checked before reading the image, which would be lost if the call stays with its worker.
bool may_start(const Predictor& predictor) {
  auto& impl = PredictorAccess::impl(predictor);
  return impl.planner.options().device != nullptr && impl.list_executor().may_start();
}

/// As run_images() does it.
void start_network(const Predictor& predictor, const Image& image, Resume resume, StartedCall& call) {
  auto& impl = PredictorAccess::impl(predictor);
  const ImageFeed& feed = *impl.feed;
  const Span<const Image> images(&image, 1);
  if (feed.entry().model_resizes) {
    const ImageFeed::Items items = feed.items(images, impl.batch_runner);
    return impl.start_items({&items.views, 1}, resume, call);
  }
  if (impl.start_images(images, resume, call)) return;
  const Tensor batch = feed.preprocess(predictor.model(), images, impl.batch_runner, nullptr);
  const std::vector<TensorView> views{batch.view()};
  if (impl.data().takes_items) return impl.start_items({&views, 1}, resume, call);
  if (needs_filling(impl.network_batch, views)) return call.end(impl.predict_rows(views), resume);
  impl.start_inputs(views, resume, call);
}

}  // namespace

std::unique_ptr<StartedImage> start_image(const Predictor& predictor, Resume resume,
                                          FunctionRef<Image()> image) try {
  if (!may_start(predictor)) return nullptr;
  std::unique_ptr<StartedImage> started;
  run_in_place(PredictorAccess::impl(predictor), [&] {
    const Image read = image();
    auto made = std::make_unique<StartedImage>();
    made->size = read.size();
    start_network(predictor, read, resume, made->call);
    started = std::move(made);
  });
  return started;
} catch (...) {
  throw_as_error();
}

std::unique_ptr<StartedImage> start_file(const Predictor& predictor, Resume resume,
                                         const std::string& place) try {
  if (!may_start(predictor)) return nullptr;
  const ImageFeed& feed = *PredictorAccess::impl(predictor).feed;
  const sources::ReadFile read = feed.fetch(place);  // without a place among the calls: it may be slow
  return start_image(predictor, resume, [&] { return feed.decode_file(place, read); });
} catch (...) {
  throw_as_error();
}

std::unique_ptr<StartedImage> start_bytes(const Predictor& predictor, Resume resume, ByteSpan encoded) {
  const ImageFeed& feed = *PredictorAccess::impl(predictor).feed;
  return start_image(predictor, resume, [&] { return feed.decode_bytes(encoded); });
}

}  // namespace mxinfer::api
