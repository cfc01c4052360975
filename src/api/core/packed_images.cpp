// Images of any sizes that a GPU transforms all at once (runtime/image_batch_runner.h).
#include "api/core/predictor_impl.h"

namespace mxinfer {

void Predictor::Impl::make_image_batches_of_feed() {
  const passes::ItemStage* stage = feed->stage();
  const auto& inputs = data().signature.inputs;
  if (stage == nullptr || data().stages || inputs.size() != 1 || !bucket_networks.empty()) return;
  feed_stage = std::make_unique<passes::ItemStage>(*stage);
  feed_stage->rest_input = inputs[0].name;
  image_batches = runtime::ImageBatchRunner::make(*feed_stage, network->graph, memory, planner);
}

std::optional<Predictor::Impl::PackedBatch> Predictor::Impl::pack_images(Span<const Image> images) {
  if (!image_batches || !feed_stage || images.empty()) return std::nullopt;
  if (network_batch && *network_batch != static_cast<std::int64_t>(images.size())) return std::nullopt;
  // As the preprocessor does: grey is made of the given pixels.
  const bool is_grey = feed->entry().input.channels == 1;
  std::vector<Image> grey(is_grey ? images.size() : 0);
  std::vector<TensorView> views(images.size());
  const auto read = [&](std::size_t i) {
    if (images[i].empty()) return;
    if (is_grey) grey[i] = convert_channels(images[i], 1);
    views[i] = is_grey ? grey[i].view() : images[i].view();
  };
  batch_runner.for_each(images.size(), read, nullptr);
  return image_batches->pack(std::move(views), batch_runner);
}

std::optional<std::vector<Tensor>> Predictor::Impl::predict_packed(const std::optional<PackedBatch>& batch) {
  if (!batch) return std::nullopt;
  const TensorView view = batch->packed.view();
  return batch->executor->run({&view, 1}, arena);
}

}  // namespace mxinfer
