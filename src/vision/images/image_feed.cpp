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

}  // namespace

ImageFeed::ImageFeed(const Model& model, const ImageOptions& options, const plan::PlanOptions& how,
                     const std::shared_ptr<runtime::MemoryBudget>& memory)
    : options_(options),
      entry_(image_entry(model, options)),
      decode_(decode_options(options, entry_)),
      takes_bgr_(reads_bgr(model, entry_)),
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
