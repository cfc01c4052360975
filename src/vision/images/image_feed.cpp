#include "vision/images/image_feed.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "kernels/image/convert_color.h"
#include "model/model_data.h"
#include "sources/address.h"
#include "vision/images/preprocessing.h"

namespace mxinfer::api {
namespace {

DecodeOptions decode_options(const ImageOptions& options, const ImageEntry& entry) {
  DecodeOptions decode;
  decode.color = entry.input.channels == 3;
  decode.apply_exif = options.apply_exif;
  return decode;
}

bool reads_bgr(const Model& model, const ImageEntry& entry) {
  if (!entry.model_resizes || entry.input.channels != 3) return false;
  const auto& reader = data_of(model).stages->items[0].reader;
  return reader && !reader->rgb;
}

Tensor swapped(const Image& image) {
  Tensor bgr = Tensor::uninitialized(DType::uint8, image.view().shape());
  const std::int64_t pixels = std::int64_t{image.width()} * image.height();
  kernels::select_convert_color(kernels::ElementType::uint8, kernels::ColorConversion::swap)(
      image.pixels().data(), bgr.raw(), pixels);
  return bgr;
}

template <typename T>
Tensor as_numbers(const TensorView& pixels) {
  const auto* from = static_cast<const std::uint8_t*>(pixels.raw());
  Tensor tensor = Tensor::uninitialized(DTypeOf<T>::value, pixels.shape());
  std::transform(from, from + tensor.elements(), tensor.data<T>(),
                 [](std::uint8_t pixel) { return T(static_cast<float>(pixel)); });
  return tensor;
}

// Converts pixels to the model's layout and dtype. Precondition: at least one of the two differs.
Tensor item_of(const Image& image, bool bgr, DType dtype) {
  Tensor pixels = bgr ? swapped(image) : Tensor();
  if (!takes_floats(dtype)) return pixels;
  const TensorView from = bgr ? pixels.view() : image.view();
  return dtype == DType::float16 ? as_numbers<Half>(from) : as_numbers<float>(from);
}

Tensor rows_at(const Tensor& batch, const std::vector<std::size_t>& positions) {
  Shape shape = batch.shape();
  const std::size_t row_bytes = batch.bytes() / static_cast<std::size_t>(shape[0]);
  shape[0] = static_cast<std::int64_t>(positions.size());
  Tensor rows = Tensor::uninitialized(batch.dtype(), shape);
  const auto* const from = static_cast<const std::byte*>(batch.raw());
  auto* to = static_cast<std::byte*>(rows.raw());
  for (const std::size_t position : positions) {
    const std::byte* const row = from + position * row_bytes;
    to = std::copy(row, row + row_bytes, to);
  }
  return rows;
}

}  // namespace

ImageFeed::ImageFeed(const Model& model, const ImageOptions& options, const plan::PlanOptions& how,
                     const std::shared_ptr<runtime::MemoryBudget>& memory, DecodesFor decodes_for)
    : options_(options),
      entry_(image_entry(model, options)),
      decode_(decode_options(options, entry_)),
      takes_bgr_(reads_bgr(model, entry_)),
      opener_(data_of(model).opener) {
  if (!entry_.model_resizes)
    preprocessor_ = std::make_unique<Preprocessor>(options.preprocess, entry_.input, how, memory);
  if (decodes_for == DecodesFor::caller) return;
  const passes::ItemStage& stage = preprocessor_ ? preprocessor_->stage() : data_of(model).stages->items[0];
  wanted_ = WantedPart(stage, entry_.input.channels, options.scaled_decoding);
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

ImageFeed::Rows ImageFeed::rows_of(std::size_t count, Preprocessor::ImageOf image_of,
                                   runtime::BatchRunner& runner, std::vector<ItemError>* errors) const {
  const std::size_t known = errors == nullptr ? 0 : errors->size();
  Rows rows{preprocessor_->batch_of(count, image_of, runner, errors), {}};
  std::vector<bool> is_wrong(count);
  for (std::size_t e = known; errors != nullptr && e < errors->size(); ++e)
    is_wrong[(*errors)[e].item] = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_wrong[i]) rows.positions.push_back(i);
  }
  if (rows.positions.size() != count) rows.batch = rows_at(rows.batch, rows.positions);
  return rows;
}

ImageFeed::Items ImageFeed::items(Span<const Image> images, runtime::BatchRunner& runner) const {
  Items items;
  items.images.resize(images.size());
  items.tensors.resize(images.size());
  items.views.resize(images.size());
  const bool as_they_are = entry_.input.dtype == DType::uint8 && !takes_bgr_;
  const auto make = [&](std::size_t i) {
    const Image& image = items.images[i] =
        images[i].empty() ? images[i] : convert_channels(images[i], entry_.input.channels);
    const bool copies = !image.empty() && !as_they_are;
    if (copies) items.tensors[i] = item_of(image, takes_bgr_, entry_.input.dtype);
    items.views[i] = copies ? items.tensors[i].view() : image.view();
  };
  runner.for_each(images.size(), make, nullptr);
  return items;
}

sources::ReadFile ImageFeed::fetch(const std::string& place) const {
  return sources::is_remote(place) ? sources::try_read(*opener_, place) : sources::ReadFile();
}

Image ImageFeed::decode_file(const std::string& place, const sources::ReadFile& read) const {
  const auto part = [this](Size full) { return wanted_.of(full); };
  if (!sources::is_remote(place)) return image::read_part(sources::path_of_file(place), decode_, part);
  if (read.error) std::rethrow_exception(read.error);
  return in_context([&] { return printable(sources::shown(place)); },
                    [&] {
                      return decode_bytes({read.bytes.data(), read.bytes.size()});
                    });
}

Image ImageFeed::decode_bytes(ByteSpan encoded) const {
  return image::decode_part(encoded, decode_, [this](Size full) { return wanted_.of(full); });
}

Image ImageFeed::decode_listed(Span<const ByteSpan> encoded, std::size_t i) const {
  if (encoded.size() == 1) return decode_bytes(encoded[i]);
  return in_context([&] { return concat("image ", i); }, [&] { return decode_bytes(encoded[i]); });
}

std::vector<Image> ImageFeed::decode_all(std::size_t count, Preprocessor::ImageOf decode,
                                         runtime::BatchRunner& runner, std::vector<ItemError>* errors) const {
  std::vector<Image> images(count);
  runner.for_each(
      count, [&](std::size_t i) { images[i] = decode(i); }, errors);
  return images;
}

std::vector<Image> ImageFeed::read_files(const std::vector<std::string>& paths, runtime::BatchRunner& runner,
                                         std::vector<ItemError>* errors) const {
  return decode_all(
      paths.size(), [&](std::size_t i) { return decode_file(paths[i], {}); }, runner, errors);
}

std::vector<Image> ImageFeed::decode_all(Span<const ByteSpan> encoded, runtime::BatchRunner& runner,
                                         std::vector<ItemError>* errors) const {
  return decode_all(
      encoded.size(), [&](std::size_t i) { return decode_listed(encoded, i); }, runner, errors);
}

}  // namespace mxinfer::api
