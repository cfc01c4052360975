#include "vision/image_feed.h"

#include <algorithm>

#include "base/fail.h"
#include "model/model_data.h"
#include "sources/address.h"
#include "vision/preprocessing.h"

namespace mxinfer::api {
namespace {

DecodeOptions decode_options(const Model& model, const ImageOptions& options, const ImageEntry& entry) {
  DecodeOptions decode;
  decode.color = entry.input.channels == 3;
  decode.apply_exif = options.apply_exif;
  if (!entry.model_resizes) return decode;
  const auto& reader = data_of(model).stages->items[0].reader;
  if (reader) decode.order = reader->rgb ? ColorOrder::rgb : ColorOrder::bgr;
  return decode;
}

// The pixels as the element type that the model takes.
Tensor as_floats(const Image& image) {
  Tensor tensor = Tensor::uninitialized(DType::float32, image.view().shape());
  std::copy(image.pixels().begin(), image.pixels().end(), tensor.data<float>());
  return tensor;
}

}  // namespace

ImageFeed::ImageFeed(const Model& model, const ImageOptions& options, const plan::PlanOptions& how,
                     const std::shared_ptr<runtime::MemoryBudget>& memory)
    : options_(options),
      entry_(image_entry(model, options)),
      decode_(decode_options(model, options, entry_)),
      opener_(data_of(model).opener) {
  if (entry_.model_resizes) return;
  preprocessor_ = std::make_unique<Preprocessor>(options.preprocess, entry_.input, how, memory);
}

std::vector<NamedShape> ImageFeed::network_shapes(const Model& model) const {
  if (entry_.model_resizes) return {};
  return {{model.signature().inputs[0].name, batch_shape(entry_.input, 1)}};
}

Image ImageFeed::blank_image(const Shape& input) const {
  const std::int64_t channels = entry_.input.channels;
  const bool own_size = entry_.model_resizes && input.rank() >= 3;
  const Shape shape = own_size ? Shape{input[input.rank() - 3], input[input.rank() - 2], channels}
                               : Shape{480, 640, channels};
  return Image(Tensor(DType::uint8, shape));
}

Tensor ImageFeed::preprocess(const Model& model, Span<const Image> images, runtime::BatchRunner& runner,
                             std::vector<ItemError>* errors) const {
  if (!preprocessor_) {
    fail(ErrorCode::unsupported, "model '", printable(model.name()),
         "' preprocesses its images itself; load the bare network with LoadOptions::load_transforms = false "
         "to do it here");
  }
  return preprocessor_->batch_of(images, runner, errors);
}

ImageFeed::Items ImageFeed::items(Span<const Image> images) const {
  Items items;
  items.floats.resize(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool convert = entry_.input.dtype == DType::float32 && !images[i].empty();
    if (convert) items.floats[i] = as_floats(images[i]);
    items.views.push_back(convert ? items.floats[i].view() : images[i].view());
  }
  return items;
}

sources::ReadFile ImageFeed::fetch(const std::string& place) const {
  return sources::is_remote(place) ? sources::try_read(*opener_, place) : sources::ReadFile();
}

Image ImageFeed::decode_file(const std::string& place, const sources::ReadFile& read) const {
  if (!sources::is_remote(place)) return read_image(sources::path_of_file(place), decode_);
  if (read.error) std::rethrow_exception(read.error);
  return in_context([&] { return printable(sources::shown(place)); },
                    [&] {
                      return decode_image({read.bytes.data(), read.bytes.size()}, decode_);
                    });
}

std::vector<Image> ImageFeed::read_files(const std::vector<std::string>& paths, runtime::BatchRunner& runner,
                                         std::vector<ItemError>* errors) const {
  std::vector<Image> images(paths.size());
  runner.for_each(
      paths.size(), [&](std::size_t i) { images[i] = decode_file(paths[i], {}); }, errors);
  return images;
}

std::vector<Image> ImageFeed::decode_all(Span<const ByteSpan> encoded, runtime::BatchRunner& runner,
                                         std::vector<ItemError>* errors) const {
  std::vector<Image> images(encoded.size());
  const auto decode = [&](std::size_t i) { images[i] = decode_image(encoded[i], decode_); };
  const auto decode_one_of_several = [&](std::size_t i) {
    in_context([&] { return concat("image ", i); }, [&] { decode(i); });
  };
  if (encoded.size() > 1) {
    runner.for_each(encoded.size(), decode_one_of_several, errors);
  } else {
    runner.for_each(encoded.size(), decode, errors);
  }
  return images;
}

}  // namespace mxinfer::api
