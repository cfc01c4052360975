#include "api/core/run_images.h"

#include <algorithm>

#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "base/fail.h"
#include "tensor/widen_halves.h"

namespace mxinfer::api {

runtime::BatchRunner& batch_runner(const Predictor& predictor) {
  return PredictorAccess::impl(predictor).batch_runner;
}

ImageFeed make_feed(const Predictor& predictor, const ImageOptions& options,
                    ImageFeed::DecodesFor decodes_for) {
  auto& impl = PredictorAccess::impl(predictor);
  return {predictor.model(), options, impl.planner.options(), impl.memory, decodes_for};
}

std::vector<Tensor> run_images(const Predictor& predictor, const ImageFeed& feed, Span<const Image> images,
                               std::vector<ItemError>* errors) {
  std::vector<Tensor> outputs = as_call(predictor, [&] {
    if (feed.entry().model_resizes)
      return predictor.predict_list(feed.items(images, batch_runner(predictor)).views, errors);
    auto& impl = PredictorAccess::impl(predictor);
    if (auto packed = impl.predict_packed(impl.pack_images(images))) return std::move(*packed);
    const Tensor batch = feed.preprocess(predictor.model(), images, batch_runner(predictor), errors);
    const TensorView view = batch.view();
    return predict_rows(predictor, {&view, 1});
  });
  widen_halves(outputs);
  return outputs;
}

std::vector<Tensor> run_image_rows(const Predictor& predictor, const Tensor& rows) {
  const TensorView view = rows.view();
  std::vector<Tensor> outputs = predict_rows(predictor, {&view, 1});
  widen_halves(outputs);
  return outputs;
}

bool makes_rows(const Predictor& predictor, const ImageFeed& feed) {
  return feed.stage() != nullptr && PredictorAccess::impl(predictor).image_batches == nullptr;
}

std::vector<Tensor> predict_rows(const Predictor& predictor, Span<const TensorView> rows) try {
  return PredictorAccess::impl(predictor).predict_rows(rows);
} catch (...) {
  throw_as_error();
}

namespace {

/// The result of decoding a list.
class ListDecoder {
 public:
  ListDecoder(const Predictor& predictor, const ImageFeed& feed, const std::vector<std::string>& places)
      : predictor_(predictor), feed_(feed), places_(places), images_(places.size()), thrown_(places.size()) {}

  /// Side by side.
  void decode(const std::vector<sources::ReadFile>& files) {
    if (files.empty()) return;
    auto& impl = PredictorAccess::impl(predictor_);
    const auto decode_one = [&](std::size_t i) {
      const std::size_t index = files[i].index;
      images_[index] = feed_.decode_file(places_[index], files[i]);
    };
    const auto decode_all = [&] {
      auto thrown = impl.batch_runner.try_each(files.size(), decode_one);
      for (std::size_t i = 0; i < files.size(); ++i) thrown_[files[i].index] = std::move(thrown[i]);
    };
    run_in_place(impl, decode_all);
  }

  [[nodiscard]] bool has_failed() const {
    return std::any_of(thrown_.begin(), thrown_.end(), [](const auto& thrown) { return thrown != nullptr; });
  }

  ReadImages finish(std::vector<ItemError>* errors) && {
    ReadImages read{std::move(images_)};
    for (std::size_t i = 0; i < thrown_.size(); ++i) {
      if (thrown_[i] == nullptr) continue;
      if (errors == nullptr) {
        read.failure = thrown_[i];
        break;
      }
      errors->push_back({i, as_error(thrown_[i])});
    }
    return read;
  }

 private:
  const Predictor& predictor_;
  const ImageFeed& feed_;
  const std::vector<std::string>& places_;
  std::vector<Image> images_;
  std::vector<std::exception_ptr> thrown_;
};

}  // namespace

ReadImages read_images(const Predictor& predictor, const ImageFeed& feed,
                       const std::vector<std::string>& places, std::vector<ItemError>* errors) {
  std::vector<sources::ReadFile> local;
  std::vector<std::string> addresses;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (sources::is_remote(places[i])) {
      addresses.push_back(places[i]);
      positions.push_back(i);
    } else {
      local.push_back({i});
    }
  }
  ListDecoder decoder(predictor, feed, places);
  sources::ReadAhead ahead(feed.opener(), addresses);
  decoder.decode(local);
  for (auto files = ahead.next(); !files.empty(); files = ahead.next()) {
    for (sources::ReadFile& file : files) file.index = positions[file.index];
    decoder.decode(files);
    if (errors == nullptr && decoder.has_failed()) ahead.stop();  // the others are no longer needed
  }
  return std::move(decoder).finish(errors);
}

void take_images(const Predictor& predictor, std::shared_ptr<const ImageFeed> feed) {
  auto& impl = PredictorAccess::impl(predictor);
  impl.usual_shapes = feed->network_shapes(predictor.model());
  impl.feed = std::move(feed);
  impl.make_image_batches_of_feed();
}

void warm_up_with_image(const Predictor& predictor) {
  const ImageFeed& feed = *PredictorAccess::impl(predictor).feed;
  const Image image = feed.blank_image(predictor.input_shapes()[0].second);
  (void)run_images(predictor, feed, {&image, 1}, nullptr);
}

}  // namespace mxinfer::api

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

std::optional<std::vector<Tensor>> Predictor::Impl::predict_packed(std::optional<PackedBatch> batch) {
  if (!batch) return std::nullopt;
  return batch->run(arena);
}

}  // namespace mxinfer
